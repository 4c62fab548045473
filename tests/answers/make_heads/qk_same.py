# wrong: the generator is set again for each projection, so query, key and value of a head are equal
# named: one_matrix
import torch
from torch import nn

from course_lib import SingleHead


def make_heads(num_heads, d_model, head_dim, seed):
    heads = nn.ModuleList([SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads)])
    with torch.no_grad():
        for i, head in enumerate(heads):
            for p in head.parameters():
                g = torch.Generator().manual_seed(seed * 1000 + i)
                p.copy_(torch.randn(p.shape, generator=g) * 0.1)
    return heads
