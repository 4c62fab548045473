# wrong: x is counted twice
# named: x_twice
def block_step(x, sublayer, norm, norm_first):
    if norm_first:
        return 2 * x + sublayer(norm(x))
    return norm(2 * x + sublayer(x))
