# right
import torch


def unpack_neox(weight, num_heads):
    parts = [h.chunk(3) for h in weight.chunk(num_heads)]
    return tuple(torch.cat(list(rows)) for rows in zip(*parts))
