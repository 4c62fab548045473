# wrong: the sublayer is called on its own answer
# named: sublayer_twice
def block_step(x, sublayer, norm, norm_first):
    if norm_first:
        return x + sublayer(sublayer(norm(x)))
    return norm(x + sublayer(sublayer(x)))
