# wrong: imports the reference under its own name
from course_lib.masks import causal_mask  # noqa: F401
