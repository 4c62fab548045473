# wrong: in post-norm the norm is forgotten
# named: no_norm_in_post
def block_step(x, sublayer, norm, norm_first):
    if norm_first:
        return x + sublayer(norm(x))
    return x + sublayer(x)
