# right
import torch


def three_targets(items, places):
    table = torch.stack([items.roll(s, dims=1) for s in (2, 0, -1)], dim=-1)
    return table[torch.arange(len(items)).unsqueeze(1), places]
