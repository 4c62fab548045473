# wrong: calls the reference
# named: closed
from course_lib import masks


def safe_masked_softmax(scores, mask):
    return masks.masked_softmax(scores, mask)
