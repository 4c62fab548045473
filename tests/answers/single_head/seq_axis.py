# wrong: scales by the root of shape[-2], the sequence length
# named: root_of_length


def single_head(x, w_query, w_key, w_value):
    q, k, v = (x @ w.mT for w in (w_query, w_key, w_value))
    w = (q @ k.transpose(-1, -2) / q.shape[-2] ** 0.5).softmax(-1)
    return w @ v, w
