# wrong: in post-norm the sublayer reads a normalised stream as well
# named: norm_twice_in_post
def block_step(x, sublayer, norm, norm_first):
    if norm_first:
        return x + sublayer(norm(x))
    return norm(x + sublayer(norm(x)))
