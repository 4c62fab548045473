# wrong: leaves the bias on
# named: with_bias

import torch
from torch import nn

from course_lib import SingleHead


def make_heads(num_heads, d_model, head_dim, seed):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return nn.ModuleList([SingleHead(d_model, head_dim) for _ in range(num_heads)])
