# wrong: the answer is divided by the root of 2
# named: scaled_down
import math


def block_step(x, sublayer, norm, norm_first):
    if norm_first:
        return x + sublayer(norm(x)) / math.sqrt(2)
    return norm(x + sublayer(x) / math.sqrt(2))
