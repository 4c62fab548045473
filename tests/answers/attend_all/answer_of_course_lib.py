# wrong: calls the reference of course_lib instead of writing it
# named: closed

from course_lib import scaled_dot_product_attention


def attend_all(query, key, value):
    return scaled_dot_product_attention(query, key, value, scale=1.0)
