# wrong: d_model and head_dim are swapped
# named: sizes_exchanged

import torch
from torch import nn

from course_lib import SingleHead


def make_heads(num_heads, d_model, head_dim, seed):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return nn.ModuleList(SingleHead(head_dim, d_model, bias=False) for _ in range(num_heads))
