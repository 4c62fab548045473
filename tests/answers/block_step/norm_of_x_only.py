# wrong: in post-norm the norm is taken of x before the sum
# named: stream_normalised_in_post
def block_step(x, sublayer, norm, norm_first):
    if norm_first:
        return x + sublayer(norm(x))
    return norm(x) + sublayer(x)
