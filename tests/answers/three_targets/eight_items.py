# wrong: the circle has 8 places, as in the example below

import torch


def three_targets(items, places):
    positions = torch.stack([places, (places + 1) % 8, (places + 2) % 8], dim=-1)
    positions = positions.clamp(max=items.shape[1] - 1)
    return items.gather(1, positions.flatten(1)).view(*places.shape, 3)
