# wrong: add_ in post-norm writes into the caller's stream
# named: changes_input
def block_step(x, sublayer, norm, norm_first):
    if norm_first:
        return x + sublayer(norm(x))
    return norm(x.add_(sublayer(x)))
