# wrong: adds to the caller's stream in place in pre-norm
# named: changes_input


def block_step(x, sublayer, norm, norm_first):
    if norm_first:
        x += sublayer(norm(x))
        return x
    return norm(x + sublayer(x))
