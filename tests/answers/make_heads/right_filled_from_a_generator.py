# right

import torch
from torch import nn

from course_lib import SingleHead


def make_heads(num_heads, d_model, head_dim, seed):
    generator = torch.Generator().manual_seed(seed)
    heads = nn.ModuleList([SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads)])
    for parameter in heads.parameters():
        nn.init.xavier_uniform_(parameter, generator=generator)
    return heads
