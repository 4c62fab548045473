# right

import torch


def three_targets(items, places):
    rows = torch.stack([items, items.roll(-1, dims=1), items.roll(-2, dims=1)], dim=-1)
    return rows[torch.arange(len(items))[:, None], places]
