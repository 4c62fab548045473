# wrong: deep copies of one head
# named: clones

import copy

import torch
from torch import nn

from course_lib import SingleHead


def make_heads(num_heads, d_model, head_dim, seed):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        head = SingleHead(d_model, head_dim, bias=False)
        return nn.ModuleList(copy.deepcopy(head) for _ in range(num_heads))
