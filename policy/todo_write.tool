# todo_write: the planner's own task list. All content, no routing: it touches nothing.
title  Write the task list
verb   todo
says   Records the list of tasks for what you are doing; the person sees it.
says   Give the complete list each time: it replaces the one before. A status is
says   pending, in_progress, completed or cancelled; any other word counts as pending.

arg    todos     content todos 0..200 required : the complete list, each with content and status
arg    why       content line                 : one line: what this call is for

ask    no
