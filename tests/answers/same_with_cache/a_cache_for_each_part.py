# wrong: a new cache for each part
# named: rejects_everything
import torch


def same_with_cache(layer, x):
    whole = layer(x)
    parts = [layer(part, layer.new_cache()) for part in x.split(2)]
    return torch.allclose(torch.cat(parts), whole, atol=1e-4)
