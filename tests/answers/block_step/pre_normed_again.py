# wrong: in pre-norm the sum is normalised too
# named: sum_normalised_in_pre
def block_step(x, sublayer, norm, norm_first):
    if norm_first:
        return norm(x + sublayer(norm(x)))
    return norm(x + sublayer(x))
