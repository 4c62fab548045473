# wrong: clamps at the ends of the row, where two positions fall together
# named: clamped
import torch


def three_targets(items, places):
    p = torch.stack((places - 1, places, places + 1), dim=-1).clamp(0, items.shape[1] - 1)
    return items.gather(1, p.flatten(1)).view(p.shape)
