# right
import torch


def same_with_cache(layer, x):
    # Parts of 1, 2, 3, ... tokens, then the same from the other end, then once more.
    sizes = []
    while sum(sizes) < len(x):
        sizes.append(min(len(sizes) + 1, len(x) - sum(sizes)))
    whole = layer(x)
    differences = []
    for cut in (sizes, sizes[::-1], [1] * len(x)):
        cache = layer.new_cache()
        start = 0
        for size in cut:
            out = layer(x[start : start + size], cache)
            differences.append((out - whole[start : start + size]).abs().max())
            start += size
    return bool(torch.stack(differences).max() < 1e-4)
