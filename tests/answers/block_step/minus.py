# wrong: subtracts what the sublayer says
# named: subtracted
def block_step(x, sublayer, norm, norm_first):
    if norm_first:
        return x - sublayer(norm(x))
    return norm(x - sublayer(x))
