# read_file: pages of one file. The helper opens nothing.
title  Read a file
verb   read
says   Reads a UTF-8 text file and returns its lines, one page at a time: at most
says   500 lines and 64 KiB; a longer file names the offset to go on from.
says   A file nobody vouched for comes back as a reference such as ref:3 instead of
says   text: that is normal, not an error, and is not cured by asking again.
says   Pictures and PDFs always come back as a reference.
says   Every visible read carries a change token: the same token on a later read
says   means nobody wrote the file in between, another one means it was written,
says   not what changed. To notice a change, read now for the baseline and look
says   again later; a change shows at that later look. Nothing in this session
says   arranges the later look by itself.

arg    path      routing path:file            : workspace-relative path of the file
arg    path_ref  routing ref:file             : a reference naming a file, such as ref:2
arg    offset    routing int 0.. = 1          : first line to return, counted from 1
arg    limit     routing int 0..500 clamp = 500 : most lines to return
arg    why       content line                 : one line: what this call is for
one-of path path_ref

fd     3 read    path | path_ref
fd     4 write   slot
ask    quarantined
limit  cpu 10s wall 30s memory 256M slot 64M

result code      word ok binary utf-16 utf-32 too-large unreadable
result first     int 0..                      # line number of the first returned line, 0 if none
result lines     int 0..500
result total     int 0..                      # lines of the whole file
result cut       int 0..500                   # returned lines cut at 2,000 characters
result bytes     int 0..                      # bytes put into the slot

landlock none
seccomp @base
seccomp read     arg0 in 0 3
seccomp write    arg0 in 1 2 4
seccomp fstat    arg0 == 3                    # why: the size bounds the read
