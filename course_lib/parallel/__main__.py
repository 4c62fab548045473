"""``torchrun --standalone --nproc-per-node 2 -m course_lib.parallel CASE``."""

from course_lib.parallel.cases import main

main()
