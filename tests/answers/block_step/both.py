# wrong: post-norm also normalises what the sublayer reads
# named: norm_twice_in_post


def block_step(x, sublayer, norm, norm_first):
    y = x + sublayer(norm(x))
    return y if norm_first else norm(y)
