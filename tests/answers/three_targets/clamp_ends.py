# wrong: at the ends of the row the neighbour is clamped, so two positions coincide
# named: clamped
import torch


def three_targets(items, places):
    n = items.shape[1]
    pos = torch.stack([(places - 1).clamp(min=0), places, (places + 1).clamp(max=n - 1)], -1)
    return items.gather(1, pos.flatten(1)).unflatten(1, (-1, 3))
