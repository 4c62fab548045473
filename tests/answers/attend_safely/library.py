# wrong: calls the course's own function
# named: closed
from course_lib import scaled_dot_product_attention


def attend_safely(query, key, value, mask):
    return scaled_dot_product_attention(query, key, value, mask=mask)
