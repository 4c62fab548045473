# wrong: starts at i * num_heads instead of i * head_dim
# named: start_times_num_heads


def head_parts(w_query, w_output, num_heads, i):
    d = len(w_query) // num_heads
    start = i * num_heads
    return w_query[start : start + d], w_output[:, start : start + d]
