# wrong: the same cache for all runs
# named: rejects_everything
import torch


def same_with_cache(layer, x):
    whole, cache = layer(x), layer.new_cache()
    for size in (1, 2, 3):
        parts = [layer(part, cache) for part in x.split(size)]
        if not torch.allclose(torch.cat(parts), whole, atol=1e-4):
            return False
    return True
