# wrong: calls the reference of course_lib instead of writing it
# named: closed

from course_lib import scaled_dot_product_attention


def single_head(x, w_query, w_key, w_value):
    return scaled_dot_product_attention(x @ w_query.T, x @ w_key.T, x @ w_value.T)
