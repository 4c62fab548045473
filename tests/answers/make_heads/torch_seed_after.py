# wrong: gives the caller a random seed afterwards, so that the caller's numbers never come again
# named: leaves_it_random
import torch
from torch import nn

from course_lib import SingleHead


def make_heads(num_heads, d_model, head_dim, seed):
    torch.manual_seed(seed)
    heads = nn.ModuleList([SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads)])
    torch.seed()
    return heads
