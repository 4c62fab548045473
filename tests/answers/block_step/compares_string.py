# wrong: compares the flag with a word, so it is always post-norm
# named: always_post


def block_step(x, sublayer, norm, norm_first):
    if norm_first == "pre":
        return x + sublayer(norm(x))
    return norm(x + sublayer(x))
