# edit_file: one exact passage of a file for another. The helper makes the new bytes in
# memory; bb compares them with the old ones, shows them, and puts them into place.
title  Edit a file
verb   edit
says   Replaces one exact passage of a text file; better than writing a whole file.
says   old_text must occur exactly once, byte for byte, including whitespace: give
says   enough lines around the change. replace_all replaces every occurrence. In a file
says   whose lines all end in CR LF a line feed in either text is read as one.
says   The person sees what changes and is asked; a refusal is their word: do not try
says   the same edit again. A file nobody vouched for cannot be edited.
effect

arg    path      routing path:file            : workspace-relative path of the file
arg    path_ref  routing ref:file             : a reference naming a file, such as ref:2
arg    old_text  content text required        : the passage as it stands in the file
arg    new_text  content text required        : what comes in its place; "" removes it
arg    replace_all routing bool = false       : every occurrence, not just one
arg    why       content line                 : one line: what this call is for
one-of path path_ref

fd     3 read    path | path_ref
fd     4 write   slot
fd     5 read    carry:old_text
fd     6 write   slot                         # the new content
fd     7 read    carry:new_text
ask    every
limit  cpu 10s wall 30s memory 256M slot 64M

result code      word ok empty same absent many binary utf-16 utf-32 too-large unreadable
result found     int 0..                      # occurrences, overlapping ones too
result count     int 0..                      # replaced
result line1     int 0..                      # where they are; when absent, what is nearest
result line2     int 0..
result line3     int 0..
result crlf      int 0..1                     # line feeds were read as CR LF
result staged    int 0..                      # bytes of the new content, in 6
result places    int 0..                      # where lines differ
result removed   int 0..
result added     int 0..
result large     int 0..1                     # not compared line by line
result old_ends  word none lf crlf mixed
result new_ends  word none lf crlf mixed
result lines     int 0..                      # of the new content
result bytes     int 0..                      # of the places, in 4

landlock none
seccomp @base
seccomp read     arg0 in 0 3 5 7
seccomp write    arg0 in 1 2 4 6
