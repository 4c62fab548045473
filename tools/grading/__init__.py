"""Hand out assignments, grade what comes back in a sandbox, merge the grades.

`python -m grading --help` with tools/ on the path; `make assignment`, `make grade` and
`make merge-grades` call it. One submission goes through these modules in this order:
submissions, repair, tampering, execute (with sandbox, kernel and probe), grade_one, feedback; run
handles many, inbox says whose each file is, and results stores them. report writes the tables, with
what by_hand, late, changes and alike add; back, gradebook and roster write what is handed back.
"""
