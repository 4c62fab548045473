# right

import torch
from torch import nn

from course_lib import SingleHead


def make_heads(num_heads, d_model, head_dim, seed):
    seeds = torch.randint(2**40, (num_heads,), generator=torch.Generator().manual_seed(seed))
    heads = nn.ModuleList()
    for one in seeds.tolist():
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(one)
            heads.append(SingleHead(d_model, head_dim, bias=False))
    return heads
