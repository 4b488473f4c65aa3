# ask_user: the planner's questions to the person. bb draws them; an answer approves nothing.
title  Ask the person
verb   ask
says   Puts up to four questions to the person and waits, one at a time.
says   Use it for what you cannot find out yourself: which of two approaches, whether
says   something is in scope, which of two plausible files was meant. Never for a fact
says   about the machine, and never for permission: an answer allows nothing.
says   The person may choose, answer in their own words, or skip; a skipped question
says   is an answer to work with, not a reason to ask again. An answer is remembered
says   for the session, question by question.

arg    questions routing questions 1..4 required : the questions, each with a header, a question and perhaps options
arg    why       content line                 : one line: what this call is for

ask    every
