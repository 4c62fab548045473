# wrong: scales each token to the length sqrt(d), so that eps is only a lower bound
# named: eps_as_least
import math

import torch.nn.functional as F


def rms_norm(x, weight, eps):
    return F.normalize(x, dim=-1, eps=eps) * math.sqrt(x.shape[-1]) * weight
