# wrong: the whole text as one part
# named: nothing_in_the_cache
import torch


def same_with_cache(layer, x):
    for _ in range(2):
        if not torch.allclose(layer(x, layer.new_cache()), layer(x), atol=1e-4):
            return False
    return True
