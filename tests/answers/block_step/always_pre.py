# wrong: pre-norm whatever norm_first says
# named: always_pre
def block_step(x, sublayer, norm, norm_first):
    return x + sublayer(norm(x))
