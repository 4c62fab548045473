# wrong: the residual sum is missing in pre-norm
# named: no_residual_in_pre
def block_step(x, sublayer, norm, norm_first):
    if norm_first:
        return sublayer(norm(x))
    return norm(x + sublayer(x))
