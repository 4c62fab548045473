# wrong: post-norm normalises only what the sublayer says
# named: update_normalised_in_post


def block_step(x, sublayer, norm, norm_first):
    if norm_first:
        return x + sublayer(norm(x))
    return x + norm(sublayer(x))
