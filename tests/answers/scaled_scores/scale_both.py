# wrong: divides both query and key by the root, so by head_dim together
# named: no_square_root
import math

import torch


def scaled_scores(query, key):
    s = math.sqrt(key.shape[-1])
    return torch.matmul(query / s, (key / s).mT)
