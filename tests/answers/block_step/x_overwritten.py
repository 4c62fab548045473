# wrong: x = norm(x) on the way, so the sum adds to the normalised stream
def block_step(x, sublayer, norm, norm_first):
    if norm_first:
        x = norm(x)
        return x + sublayer(x)
    return norm(x + sublayer(x))
