# wrong: F.pad puts a zero in front
# named: zero_in_front
import torch.nn.functional as F


def shift_right(target, start):
    return F.pad(target[:, :-1], (1, 0))
