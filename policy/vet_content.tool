# vet_content: one held-back reference, shown to the person because the planner asks. bb
# draws it and hands the same bytes over after a yes, once.
title  Ask to be shown something
verb   show
says   Asks the person to let you read one thing that is held back: a file, what a search
says   found, a picture or PDF. They see all of it and decide; a yes gives you its text,
says   this once, and vouches for nothing: reading it again holds it back again.
says   Say in expects what you expect it to hold. A no is their word: do not ask again.

arg    ref       routing ref:any required     : the reference, such as ref:3
arg    expects   content text required        : what you expect it to hold, in your own words
arg    why       content line                 : one line: what this call is for

ask    every
limit  slot 8M
