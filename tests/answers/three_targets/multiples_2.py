# wrong: positions p, 2p, 3p in the circle: at place 0 all three are the same
import torch


def three_targets(items, places):
    n = items.shape[1]
    pos = torch.stack([places, 2 * places % n, 3 * places % n], dim=-1)
    return torch.take_along_dim(items[:, None], pos, dim=-1)
