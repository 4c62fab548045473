# right
import math

import torch


def rms_norm(x, weight, eps):
    d = x.size(-1)
    length = torch.linalg.vector_norm(x, dim=-1, keepdim=True)
    return x * math.sqrt(d) / torch.sqrt(length**2 + d * eps) * weight
