# right
import math


def drops_twice(layer, x, p):
    layer.eval()
    own = (layer(x) - x) != 0
    layer.train()
    zeros = total = 0
    for _ in range(1 + 600 // x.numel()):
        lost = (layer(x) - x)[own] == 0
        zeros, total = zeros + int(lost.sum()), total + lost.numel()
    share, twice = zeros / total, 1 - (1 - p) ** 2
    middle = math.sqrt((1 - p) * (1 - twice))
    return 1 - share < middle
