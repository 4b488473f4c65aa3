# write_file: a whole file, new or in place of an old one. The helper only compares; bb
# stages what was shown and puts it into place.
title  Write a file
verb   write
says   Creates a file, or replaces one as a whole, with exactly the bytes given;
says   missing directories are made. The person sees what changes and is asked.
says   To change part of a file use edit_file. What a reference holds is written with
says   contents_ref, without anybody reading it here.
says   A refusal is the person's word: do not try the same write again.
effect

arg    path      routing path:file            : workspace-relative path of the file
arg    path_ref  routing ref:file             : a reference naming the file to replace, such as ref:2
arg    contents  content text                 : the whole new content; "" makes an empty file
arg    contents_ref routing ref:any           : a reference whose content is written as it is
arg    why       content line                 : one line: what this call is for
one-of path path_ref
one-of contents contents_ref

fd     3 read    path | path_ref
fd     4 write   slot
fd     5 read    carry:contents | contents_ref
ask    every
limit  cpu 10s wall 30s memory 256M slot 64M

result code      word ok too-large unreadable
result places    int 0..                      # where lines differ
result removed   int 0..
result added     int 0..
result large     int 0..1                     # not compared line by line
result old_ends  word none lf crlf mixed
result new_ends  word none lf crlf mixed
result lines     int 0..                      # of the new content
result bytes     int 0..                      # of the slot

landlock none
seccomp @base
seccomp read     arg0 in 0 3 5
seccomp write    arg0 in 1 2 4
