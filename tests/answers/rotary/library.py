# wrong: calls the course's own module
# named: closed
from course_lib import RotaryEmbedding


def rotary(x, first_place):
    return RotaryEmbedding(x.shape[-1], pairing="interleaved")(x, first_place)
