/* The second anchor of scripts/bench: the least a process can be here, static-pie
 * with musl like a pure helper. */
int
main(void)
{
	return 0;
}
