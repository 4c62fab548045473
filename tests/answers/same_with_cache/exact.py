# wrong: compares bit by bit
# named: rejects_everything
import torch


def same_with_cache(layer, x):
    whole = layer(x)
    for size in (1, 2, 3):
        cache = layer.new_cache()
        if not torch.equal(torch.cat([layer(part, cache) for part in x.split(size)]), whole):
            return False
    return True
