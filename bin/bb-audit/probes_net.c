/* Rows 14 to 23: every way to the network and to other processes by socket. Where a family
 * is not in this kernel the control fails, and the row says so. */
#include <netinet/in.h>
#include <sys/socket.h>

#include "bin/bb-audit/arch.h"
#include "bin/bb-audit/audit.h"

#define P(row, name, control, ...) \
	probe_add(l, (row), (name), (control), (const long[7]){__VA_ARGS__})

static void
families(struct list *l)
{
	static const struct {
		int row;
		const char *name;
		int family, type, protocol;
	} rows[] = {{14, "a TCP socket", AF_INET, SOCK_STREAM, 0},
	    {14, "a TCP socket, version 6", AF_INET6, SOCK_STREAM, 0},
	    {14, "a TCP socket, not blocking", AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 6},
	    {16, "an MPTCP socket", AF_INET, SOCK_STREAM, 262},
	    {16, "an SCTP socket", AF_INET, SOCK_STREAM, 132},
	    {16, "a UDP socket", AF_INET, SOCK_DGRAM, 0},
	    {16, "a UDP-Lite socket", AF_INET, SOCK_DGRAM, 136},
	    {16, "a DCCP socket", AF_INET, 6, 33},
	    {16, "a ping socket", AF_INET, SOCK_DGRAM, 1},
	    {16, "a raw socket", AF_INET, SOCK_RAW, 1},
	    {18, "a unix socket", AF_UNIX, SOCK_STREAM, 0},
	    {18, "a unix datagram socket", AF_UNIX, SOCK_DGRAM, 0},
	    {20, "a vsock", 40, SOCK_STREAM, 0},
	    {20, "a vsock for datagrams", 40, SOCK_DGRAM, 0},
	    {20, "netlink: routes", AF_NETLINK, SOCK_RAW, 0},
	    {20, "netlink: audit", AF_NETLINK, SOCK_RAW, 9},
	    {20, "netlink: events", AF_NETLINK, SOCK_RAW, 15},
	    {20, "a packet socket", AF_PACKET, SOCK_RAW, 0},
	    {20, "an AF_ALG socket", 38, SOCK_SEQPACKET, 0},
	    {20, "an AF_KEY socket", 15, SOCK_RAW, 2},
	    {20, "an AF_XDP socket", 44, SOCK_RAW, 0},
	    {20, "a bluetooth socket", 31, SOCK_RAW, 1},
	    {20, "a CAN socket", 29, SOCK_RAW, 1},
	    {20, "a TIPC socket", 30, SOCK_STREAM, 0},
	    {20, "a QIPCRTR socket", 42, SOCK_DGRAM, 0},
	    {21, "a socket for a name look-up", AF_INET6, SOCK_DGRAM, 17}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		P(rows[i].row, rows[i].name, CONTROL_OK, SYS_socket, rows[i].family,
		    rows[i].type | SOCK_CLOEXEC, rows[i].protocol);
	P(43, "socket: family with a high half", CONTROL_OK, SYS_socket,
	    AF_INET | (1L << 32), SOCK_DGRAM, 0);
}

/* They are tried on pipes: outside the answer is ENOTSOCK, so the call was reached. */
void
probes_net(struct list *l)
{
	const long buf = (long)room.buf, in = (long)room.in, un = (long)room.un;

	families(l);
	P(14, "connect", CONTROL_REACHED, SYS_connect, 0, in, sizeof(room.in));
	P(15, "sendto with MSG_FASTOPEN", CONTROL_REACHED, SYS_sendto, 1, buf, 1,
	    0x20000000, in, sizeof(room.in));
	P(15, "sendmsg", CONTROL_REACHED, SYS_sendmsg, 1, buf, 0);
	P(15, "sendmmsg", CONTROL_REACHED, SYS_sendmmsg, 1, buf, 1, 0);
	P(15, "setsockopt TCP_FASTOPEN_CONNECT", CONTROL_REACHED, SYS_setsockopt, 1, 6,
	    30, buf, 4);
	P(17, "listen", CONTROL_REACHED, SYS_listen, 0, 1);
	P(17, "bind", CONTROL_REACHED, SYS_bind, 0, in, sizeof(room.in));
	P(17, "accept4", CONTROL_REACHED, SYS_accept4, 0, 0, 0, 0);
	P(17, "accept", CONTROL_REACHED, SYS_accept, 0, 0, 0);
	P(18, "connect to a pathname", CONTROL_REACHED, SYS_connect, 0, un,
	    sizeof(room.un));
	P(18, "sendto a pathname", CONTROL_REACHED, SYS_sendto, 1, buf, 1, 0, un,
	    sizeof(room.un));
	P(18, "a pair of unix datagram sockets", CONTROL_OK, SYS_socketpair, AF_UNIX,
	    SOCK_DGRAM, 0, (long)room.pair);
	P(18, "recvmsg", CONTROL_REACHED, SYS_recvmsg, 0, buf, 0);
	P(18, "recvfrom", CONTROL_REACHED, SYS_recvfrom, 0, buf, 1, 0, 0, 0);
	P(23, "setsockopt SO_BINDTODEVICE", CONTROL_REACHED, SYS_setsockopt, 1,
	    SOL_SOCKET, 25, buf, 1);
	P(23, "getsockopt SO_PEERCRED", CONTROL_REACHED, SYS_getsockopt, 1, SOL_SOCKET,
	    17, buf, buf + 64);
	P(23, "shutdown", CONTROL_REACHED, SYS_shutdown, 1, 2);
	P(23, "getpeername", CONTROL_REACHED, SYS_getpeername, 1, buf, buf + 64);
	P(23, "getsockname", CONTROL_REACHED, SYS_getsockname, 1, buf, buf + 64);
}
