"""Hand out assignments, grade what comes back in a sandbox, make tables of the grades.

`python -m grading --help`; `make assignment`, `make grade` and the targets
`make grade-...` call it. One submission goes through these modules in this order: submissions,
repair, tampering, execute (with launch, sandbox, zygote, kernel, watch and asked), grade_one,
feedback; run handles many, on the workers (worker) of a Dask cluster (cluster), and alone one, for
Gradescope and GitHub Classroom; results stores them and report writes the tables, with what
by_hand, late, changes and alike add; gradebook and roster write what is handed back.
"""
