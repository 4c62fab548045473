# wrong: calls the reference
# named: closed
from course_lib.masks import masked_softmax as reference


def masked_softmax(scores, mask):
    return reference(scores, mask)
