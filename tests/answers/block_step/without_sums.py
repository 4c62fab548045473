# wrong: the residual sum is missing in both orders
# named: no_residual
def block_step(x, sublayer, norm, norm_first):
    if norm_first:
        return sublayer(norm(x))
    return norm(sublayer(x))
