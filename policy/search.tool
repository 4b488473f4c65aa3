# search: lines of the files beneath one directory that match a regular expression.
title  Search files
verb   search
says   Finds lines matching a regular expression in workspace files. A list of
says   patterns finds a line that matches any of them.
says   Supported: literals . * + ? | (...) (?:...) [...] with ranges and negation,
says   \d \w \s and their negations, ^ $ \b \B, and a backslash before a
says   metacharacter to match it literally. (?i) ignores case to the end of its
says   group and (?-i) stops ignoring it; (?i:...) covers only what it encloses.
says   Counted repetition such as a{2,9} is absent and { is an ordinary character;
says   backreferences, lookaround, named groups and other flags are refused.
says   Lines come as path:line: text, at most 200; a longer answer names the offset to
says   go on from. A partial answer always says so.
says   Lines of files nobody vouched for come back as one reference beside the rest.
says   Links are not followed; version control, build output, caches and vendored
says   dependencies are not walked; .gitignore is not consulted.

arg    pattern   routing patterns required    : a regular expression, or a list of them
arg    directory routing path:dir = .         : workspace-relative directory; . for the root
arg    include   routing glob                 : only files this glob keeps, such as **/*.{c,h}; with a / it may be written from the directory or from the workspace root
arg    offset    routing int 1.. = 1          : first match to return, counted from 1
arg    case_sensitive routing bool = true     : false ignores case, as (?i) in front of the pattern does
arg    context   routing int 0..10 = 0 clamp  : lines shown before and after each match
arg    why       content line                 : one line: what this call is for

fd     3 dir     directory
fd     4 write   slot
fd     5 read    scope
ask    no
limit  cpu 60s wall 40s memory 256M slot 64M
threads 2

call   prefix    text                         # path of the directory from the workspace root
call   files     int 1.. = 100000             # files chosen, after which the walk stops
call   ms        int 1.. = 10000              # of reading, after which no more files are opened
call   most      int 0.. = 200                # matches after which the answer stops; 0: none
result code      word ok bad-pattern unreadable bad-scope
result fault     word fine empty long list-long deep unclosed-group unmatched-paren unclosed-class nothing-to-repeat dangling-escape unknown-escape unsupported-group reversed-range not-utf8
result which     int 0..127                   # of the patterns, the one at fault
result at        int 0..1000                  # where in it, in characters
result a         int 0..1114111               # what stands there
result b         int 0..1114111
result selected  int 0..                      # files the walk chose, `files` at most
result read      int 0..                      # opened and searched
result binary    int 0..                      # left out: they hold a NUL
result badtext   int 0..                      # searched, and not UTF-8 throughout
result unopened  int 0..                      # chosen, and not to be opened or read
result dirs      int 0..                      # directories that could not be read
result links     int 0..                      # links left out
result others    int 0..                      # FIFOs, sockets, devices left out
result matches   int 0..                      # in the slot
result total     int 0..                      # from the first one on, as far as it went
result next      int 0..                      # number of the first match left behind, 0 if none
result files_cap int 0..1                     # there was one file more than `files`
result timed_out int 0..1
result context_cap int 0..1                   # context lines were left out
result long      int 0..                      # shown lines that were cut
result bytes     int 0..                      # of the slot

landlock fd 3 read_dir read_file
seccomp @base
seccomp read                                  # why: files are opened beneath 3, where Landlock bounds what
seccomp write    arg0 in 1 2 4
seccomp openat   arg2 in O_DIRECTORY|O_NOFOLLOW|O_CLOEXEC O_RDONLY|O_NOFOLLOW|O_NONBLOCK|O_NOCTTY|O_CLOEXEC  # why: subdirectories, and files for reading; Landlock bounds where
seccomp getdents64                            # why: names lead to the files; only directories opened above answer
seccomp close                                 # why: what was opened on the way
seccomp futex    arg1 in FUTEX_WAIT_PRIVATE FUTEX_WAKE_PRIVATE FUTEX_REQUEUE_PRIVATE  # why: two threads, made before this filter, wait for each other
seccomp clock_gettime arg0 == CLOCK_MONOTONIC # why: the time limit of reading, where the machine has no clock in user space
