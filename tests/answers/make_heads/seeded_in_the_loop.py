# wrong: seeds again for every head, so all heads are equal
# named: clones

import torch
from torch import nn

from course_lib import SingleHead


def make_heads(num_heads, d_model, head_dim, seed):
    heads = nn.ModuleList()
    with torch.random.fork_rng(devices=[]):
        for _ in range(num_heads):
            torch.manual_seed(seed)
            heads.append(SingleHead(d_model, head_dim, bias=False))
    return heads
