# wrong: steps of -2 and +3 meet when there are five items

import torch


def three_targets(items, places):
    n = items.shape[1]
    positions = torch.stack([(places - 2) % n, places, (places + 3) % n], dim=-1)
    return items.gather(1, positions.reshape(len(items), -1)).reshape(positions.shape)
