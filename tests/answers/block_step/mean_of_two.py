# wrong: half the sum of x and the answer
# named: halved
def block_step(x, sublayer, norm, norm_first):
    if norm_first:
        return (x + sublayer(norm(x))) / 2
    return norm((x + sublayer(x)) / 2)
