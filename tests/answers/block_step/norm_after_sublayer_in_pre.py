# wrong: in pre-norm the answer is normalised instead of what the sublayer reads
# named: update_normalised_in_pre
def block_step(x, sublayer, norm, norm_first):
    if norm_first:
        return x + norm(sublayer(x))
    return norm(x + sublayer(x))
