# right
import torch


def same_with_cache(layer, x):
    whole = layer(x)

    def run(size):
        cache = layer.new_cache()
        return torch.cat([layer(part, cache) for part in torch.split(x, size)])

    return all((run(size) - whole).abs().max().item() < 1e-4 for size in range(1, len(x) + 1))
