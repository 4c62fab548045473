# wrong: half a circle forward and half a circle back are the same place when the row is even
import torch


def three_targets(items, places):
    n = items.shape[1]
    steps = torch.tensor([0, n // 2, -(n // 2)])
    pos = (places[..., None] + steps) % n
    return items[torch.arange(len(items))[:, None, None], pos]
