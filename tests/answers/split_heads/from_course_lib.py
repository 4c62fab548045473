# wrong: calls the method of course_lib that does it
# named: closed
from course_lib import MultiHeadAttention


def split_heads(x, num_heads):
    layer = MultiHeadAttention(x.shape[-1], num_heads)
    return layer._split_heads(x)
