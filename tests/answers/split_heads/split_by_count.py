# wrong: torch.split wants the size of a piece, not the number of pieces
# named: sizes_exchanged
import torch


def split_heads(x, num_heads):
    return torch.stack(x.split(num_heads, dim=-1), dim=1)
