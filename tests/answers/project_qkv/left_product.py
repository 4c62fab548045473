# wrong: multiplies the weight from the left, so the result is (head_dim, seq_len), not (seq_len, head_dim)
# named: answers_transposed


def project_qkv(x, w_query, w_key, w_value):
    return w_query @ x.mT, w_key @ x.mT, w_value @ x.mT
