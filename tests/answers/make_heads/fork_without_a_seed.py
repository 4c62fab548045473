# wrong: forks the generator and forgets to seed inside
# named: unseeded

import torch
from torch import nn

from course_lib import SingleHead


def make_heads(num_heads, d_model, head_dim, seed):
    with torch.random.fork_rng(devices=[]):
        return nn.ModuleList([SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads)])
