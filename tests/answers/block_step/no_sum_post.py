# wrong: forgets the residual sum in post-norm
# named: no_residual_in_post


def block_step(x, sublayer, norm, norm_first):
    if norm_first:
        return x + sublayer(norm(x))
    return norm(sublayer(x))
