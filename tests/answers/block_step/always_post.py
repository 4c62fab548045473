# wrong: post-norm whatever norm_first says
# named: always_post
def block_step(x, sublayer, norm, norm_first):
    return norm(x + sublayer(x))
