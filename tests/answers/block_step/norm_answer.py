# wrong: post-norm normalises the sublayer's answer alone, and adds x afterwards
# named: update_normalised_in_post


def block_step(x, sublayer, norm, norm_first):
    if norm_first:
        return x + sublayer(norm(x))
    return x + norm(sublayer(x))
