# wrong: what the sublayer says is detached, so it learns nothing
# named: gradient_cut
def block_step(x, sublayer, norm, norm_first):
    if norm_first:
        return x + sublayer(norm(x)).detach()
    return norm(x + sublayer(x).detach())
