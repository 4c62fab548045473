# right
import math

import torch


def drops_twice(layer, x, p):
    with torch.no_grad():
        speaks = layer.eval()(x) != x
        layer.train()
        kept = total = 0
        while total < 4000:
            kept += int((layer(x) != x)[speaks].sum())
            total += int(speaks.sum())
    once, twice = 1 - p, (1 - p) ** 2
    log_odds = kept * math.log(twice / once) + (total - kept) * math.log((1 - twice) / (1 - once))
    return log_odds > 0
