# wrong: returns what is added instead of the new stream
# named: x_taken_off
def block_step(x, sublayer, norm, norm_first):
    if norm_first:
        return sublayer(norm(x))
    return norm(x + sublayer(x)) - x
