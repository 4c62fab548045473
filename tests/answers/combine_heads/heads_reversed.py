# wrong: the last head comes first
# named: order_reversed
import torch


def combine_heads(heads):
    return torch.cat(heads.unbind(1)[::-1], dim=-1)
