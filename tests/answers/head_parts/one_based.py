# wrong: counts the heads from 1, so it returns the block of head i - 1


def head_parts(w_query, w_output, num_heads, i):
    d = w_query.shape[0] // num_heads
    lo = ((i - 1) % num_heads) * d
    return w_query[lo : lo + d, :], w_output[:, lo : lo + d]
