# wrong: compares the last output of each run
# named: chunks_not_seen
import torch


def same_with_cache(layer, x):
    whole = layer(x)
    for size in (1, 2, 3):
        cache = layer.new_cache()
        for part in x.split(size):
            out = layer(part, cache)
        if not torch.allclose(out[-1], whole[-1], atol=1e-4):
            return False
    return True
