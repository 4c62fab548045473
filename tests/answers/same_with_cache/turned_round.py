# wrong: True for a difference
# named: inverted
import torch


def same_with_cache(layer, x):
    whole = layer(x)
    for size in (1, 2, 3):
        cache = layer.new_cache()
        out = torch.cat([layer(part, cache) for part in x.split(size)])
        if not torch.allclose(out, whole, atol=1e-4):
            return True
    return False
