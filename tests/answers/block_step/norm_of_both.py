# wrong: in post-norm x and the answer are normalised apart and then added
# named: both_normalised_in_post
def block_step(x, sublayer, norm, norm_first):
    if norm_first:
        return x + sublayer(norm(x))
    return norm(x) + norm(sublayer(x))
