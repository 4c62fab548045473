# wrong: the targets are the symbol plus a number, not copies
# named: computed

import torch


def three_targets(items, places):
    symbol = items.gather(1, places)
    return torch.stack([symbol, symbol + 1, symbol + 2], dim=-1)
