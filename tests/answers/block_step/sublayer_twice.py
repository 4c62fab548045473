# wrong: the answer is added twice
# named: added_twice
def block_step(x, sublayer, norm, norm_first):
    if norm_first:
        return x + 2 * sublayer(norm(x))
    return norm(x + 2 * sublayer(x))
