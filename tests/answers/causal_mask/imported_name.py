# wrong: imports the reference under its own name
# named: closed
from course_lib.masks import causal_mask  # noqa: F401
