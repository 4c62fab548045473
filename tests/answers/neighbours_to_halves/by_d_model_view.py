# wrong: head_dim is d_model // num_heads, in a view that other sizes do not fit


def neighbours_to_halves(weight, num_heads):
    d_model = weight.shape[1]
    pairs = weight.view(num_heads, d_model // num_heads // 2, 2, d_model)
    return pairs.transpose(1, 2).reshape(weight.shape)
