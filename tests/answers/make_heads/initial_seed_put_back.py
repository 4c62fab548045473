# wrong: seeds with torch.initial_seed() again, which goes back to the start of the caller's numbers
# named: back_to_the_start

import torch
from torch import nn

from course_lib import SingleHead


def make_heads(num_heads, d_model, head_dim, seed):
    before = torch.initial_seed()
    torch.manual_seed(seed)
    heads = nn.ModuleList(SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads))
    torch.manual_seed(before)
    return heads
