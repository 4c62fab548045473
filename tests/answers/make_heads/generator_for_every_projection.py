# wrong: a fresh generator for each parameter, so q, k and v are equal
# named: one_matrix

import torch
from torch import nn

from course_lib import SingleHead


def make_heads(num_heads, d_model, head_dim, seed):
    heads = nn.ModuleList(SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads))
    for i, head in enumerate(heads):
        for parameter in head.parameters():
            generator = torch.Generator().manual_seed(seed * num_heads + i)
            nn.init.normal_(parameter, generator=generator)
    return heads
