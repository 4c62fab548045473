# wrong: F.normalize divides by the length
# named: sum_of_squares
import torch.nn.functional as F


def rms_norm(x, weight, eps):
    return F.normalize(x, p=2, dim=-1) * weight
