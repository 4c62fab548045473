# wrong: a small constant is added before the norm, which a LayerNorm hides
def block_step(x, sublayer, norm, norm_first):
    if norm_first:
        return x + sublayer(norm(x + 0.1))
    return norm(x + sublayer(x) + 0.1)
