# wrong: parts of two, once
# named: once
import torch


def same_with_cache(layer, x):
    cache = layer.new_cache()
    out = torch.cat([layer(part, cache) for part in x.split(2)])
    return bool((out - layer(x)).abs().max() < 1e-4)
