# right
import torch


def key_heads_of(rank, num_devices, num_heads, num_kv_heads):
    group, here = num_heads // num_kv_heads, num_heads // num_devices

    def held(r):
        return {head // group for head in range(r * here, (r + 1) * here)}

    first = min(held(rank))
    return torch.tensor([first, len(held(rank)), sum(first in held(r) for r in range(num_devices))])
