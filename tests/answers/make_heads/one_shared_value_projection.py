# wrong: all heads share the value projection of head 0
# named: shared_projection

import torch
from torch import nn

from course_lib import SingleHead


def make_heads(num_heads, d_model, head_dim, seed):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        heads = nn.ModuleList(SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads))
    for head in heads[1:]:
        head.v_proj = heads[0].v_proj
    return heads
