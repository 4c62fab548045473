# wrong: the stream is detached, so no gradient passes by the sublayer
# named: gradient_cut
def block_step(x, sublayer, norm, norm_first):
    if norm_first:
        return x.detach() + sublayer(norm(x))
    return norm(x.detach() + sublayer(x))
