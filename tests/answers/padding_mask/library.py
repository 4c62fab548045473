# wrong: calls the course's own function
# named: closed
from course_lib import masks


def padding_mask(lengths, max_len):
    return masks.padding_mask(lengths, max_len)
