# wrong: normalises the sum in pre-norm too
# named: sum_normalised_in_pre


def block_step(x, sublayer, norm, norm_first):
    y = sublayer(norm(x)) if norm_first else sublayer(x)
    return norm(x + y)
