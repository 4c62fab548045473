"""Hand out assignments, grade what comes back in a sandbox, make tables of the grades.

`python -m grading --help`; `make assignment`, `make grade` and the targets
`make grade-...` call it. One submission goes through these modules in this order: submissions,
course_checks.notebook.repair, execute (with launch, sandbox, zygote and kernel, where door stands
in the place of course_checks, and judging, whose process has the answers), grade_one, feedback; run
handles many, on the workers (worker) of a Dask cluster (cluster), and alone one, for
Gradescope and GitHub Classroom; results stores them and report writes the tables, with what
by_hand, late, changes and alike add; gradebook and roster write what is handed back.
"""
