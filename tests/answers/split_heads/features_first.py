# wrong: lets the heads be the fastest axis: head i gets every num_heads-th feature
# named: interleaved


def split_heads(x, num_heads):
    B, T, D = x.shape
    return x.view(B, T, D // num_heads, num_heads).permute(0, 3, 1, 2)
