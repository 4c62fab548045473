# right


def split_heads(x, num_heads):
    size = x.shape[-1] // num_heads
    return x.unfold(2, size, size).movedim(2, 1)
