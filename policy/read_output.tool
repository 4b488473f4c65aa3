# read_output: what a command printed. bb pages through what the planner may read, and asks
# the person about the rest.
title  Read what a command printed
verb   output
says   Reads what a command printed, by the reference its run gave. What is held back is
says   shown to the person, who decides; a yes gives you all of it as text.
says   What you may read already comes in pages, unasked: offset is the byte to start at,
says   and each page names the next. It reads no file: use read_file.

arg    ref       routing ref:any required     : the reference that a run, or a page, named
arg    offset    routing int 0.. = 0          : byte to start at, of what you may read already
arg    why       content line                 : one line: what this call is for

ask    quarantined
