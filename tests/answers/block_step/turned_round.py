# wrong: takes norm_first the wrong way round
# named: orders_exchanged


def block_step(x, sublayer, norm, norm_first):
    return norm(x + sublayer(x)) if norm_first else x + sublayer(norm(x))
