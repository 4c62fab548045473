# right

import math

import numpy as np
import torch
from torch import nn

from course_lib import SingleHead


def make_heads(num_heads, d_model, head_dim, seed):
    rng = np.random.default_rng(seed)
    heads = nn.ModuleList(SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads))
    with torch.no_grad():
        for head in heads:
            for projection in (head.q_proj, head.k_proj, head.v_proj):
                numbers = rng.uniform(-1, 1, size=(head_dim, d_model)) / math.sqrt(d_model)
                projection.weight.copy_(torch.from_numpy(numbers))
    return heads
