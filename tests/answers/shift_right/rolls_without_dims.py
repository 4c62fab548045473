# wrong: roll without dims, and nothing put in front
# named: rolled_through_the_rows
import torch


def shift_right(target, start):
    return torch.roll(target, 1)
