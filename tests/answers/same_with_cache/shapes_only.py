# wrong: compares the shapes
# named: accepts_everything
import torch


def same_with_cache(layer, x):
    cache = layer.new_cache()
    out = torch.cat([layer(part, cache) for part in x.split(2)])
    return out.shape == layer(x).shape
