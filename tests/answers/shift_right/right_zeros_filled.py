# right
import torch


def shift_right(target, start):
    read = torch.zeros_like(target)
    read[:, 1:] = target[:, :-1]
    read[:, 0] = start
    return read
