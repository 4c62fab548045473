# wrong: in pre-norm the norm is forgotten
# named: no_norm_in_pre
def block_step(x, sublayer, norm, norm_first):
    if norm_first:
        return x + sublayer(x)
    return norm(x + sublayer(x))
