# list_files: names beneath one directory. No byte of a file can be read.
title  List files
verb   list
says   Lists the files under a directory, sorted, at most 2,000 entries.
says   Set a depth: an unbounded listing of a real tree is thousands of paths, paid
says   for in the conversation and again on every later round. A bounded listing
says   also names the directories it stopped at.
says   Where nobody vouched for a name, the entry comes back as a reference: pass a
says   file's reference as path_ref; there is nothing to read behind a directory's.

arg    directory routing path:dir = .         : workspace-relative directory; . for the root
arg    pattern   routing glob                 : glob such as **/*.{c,h}; with a / it may be written from the directory or from the workspace root
arg    depth     routing int 1..              : directory levels to walk, 1 being this directory only; left out, all of them
arg    why       content line                 : one line: what this call is for

fd     3 dir     directory
fd     4 write   slot
fd     5 read    scope
ask    no
limit  cpu 10s wall 30s memory 256M slot 64M

call   prefix    text                         # path of the directory from the workspace root
call   most      int 1..2000                  # entries after which the walk stops
result code      word ok unreadable bad-scope
result files     int 0..2000
result dirs      int 0..2000
result links     int 0..                      # links left out
result truncated int 0..1                     # there was one entry more than `most`
result missing   int 0..1                     # some directory could not be read
result bytes     int 0..

landlock fd 3 read_dir
seccomp @base
seccomp read     arg0 in 0 5
seccomp write    arg0 in 1 2 4
seccomp openat   arg2 == O_DIRECTORY|O_NOFOLLOW|O_CLOEXEC  # why: descends into subdirectories; Landlock bounds where
seccomp getdents64                            # why: names are what it lists; only directories opened above answer
seccomp close                                 # why: subdirectories opened on the way down
