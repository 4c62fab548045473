# wrong: one token at a time, twice
# named: chunks_not_seen
import torch


def same_with_cache(layer, x):
    whole = layer(x)
    for _ in range(2):
        cache = layer.new_cache()
        out = torch.cat([layer(row[None], cache) for row in x])
        if (out - whole).abs().max() > 1e-4:
            return False
    return True
