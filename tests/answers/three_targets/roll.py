# right
import torch


def three_targets(items, places):
    rolled = torch.stack([items.roll(s, dims=1) for s in (2, 0, -2)], dim=-1)
    return rolled.gather(1, places.unsqueeze(-1).expand(-1, -1, 3))
