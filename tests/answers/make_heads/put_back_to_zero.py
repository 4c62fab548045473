# wrong: sets the global generator to 0 afterwards instead of to where it was
# named: resets_the_global_generator

import torch
from torch import nn

from course_lib import SingleHead


def make_heads(num_heads, d_model, head_dim, seed):
    torch.manual_seed(seed)
    heads = nn.ModuleList([SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads)])
    torch.manual_seed(0)
    return heads
