# wrong: one token at a time, once
# named: one_way_is_enough
import torch


def same_with_cache(layer, x):
    cache = layer.new_cache()
    out = torch.cat([layer(x[i : i + 1], cache) for i in range(len(x))])
    return torch.allclose(out, layer(x), atol=1e-4)
