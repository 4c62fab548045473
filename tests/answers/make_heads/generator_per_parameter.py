# wrong: a fresh generator with the same seed for each parameter, so all projections and heads are equal
# named: one_matrix
import torch
from torch import nn

from course_lib import SingleHead


def make_heads(num_heads, d_model, head_dim, seed):
    heads = nn.ModuleList([SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads)])
    for p in heads.parameters():
        nn.init.xavier_uniform_(p, generator=torch.Generator().manual_seed(seed))
    return heads
