# wrong: calls the course's own function
from course_lib import masks


def combine_masks(padding, causal):
    return masks.combine_masks(padding, causal)
