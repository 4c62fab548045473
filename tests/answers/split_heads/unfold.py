# right


def split_heads(x, num_heads):
    step = x.size(-1) // num_heads
    return x.unfold(2, step, step).movedim(2, 1)
