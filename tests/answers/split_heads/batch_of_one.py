# wrong: throws the batch into the tokens


def split_heads(x, num_heads):
    head_dim = x.shape[-1] // num_heads
    return x.reshape(-1, num_heads, head_dim).transpose(0, 1).unsqueeze(0)
