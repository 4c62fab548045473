# wrong: in pre-norm the sum is with the normalised stream
# named: stream_normalised_in_pre


def block_step(x, sublayer, norm, norm_first):
    if norm_first:
        x = norm(x)
        return x + sublayer(x)
    return norm(x + sublayer(x))
