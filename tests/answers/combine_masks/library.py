# wrong: calls the course's own function
# named: closed
from course_lib import masks


def combine_masks(padding, causal):
    return masks.combine_masks(padding, causal)
