# wrong: fills only q_proj from the seed, keys and values stay as they were drawn
# named: unseeded

import torch
from torch import nn

from course_lib import SingleHead


def make_heads(num_heads, d_model, head_dim, seed):
    generator = torch.Generator().manual_seed(seed)
    heads = nn.ModuleList([SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads)])
    for head in heads:
        nn.init.normal_(head.q_proj.weight, std=0.1, generator=generator)
    return heads
