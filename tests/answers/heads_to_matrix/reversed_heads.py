# wrong: the last head comes first
# named: order_reversed
import torch


def heads_to_matrix(heads):
    parts = list(heads)[::-1]
    return torch.cat([p.weight for p in parts]), torch.cat([p.bias for p in parts])
