# wrong: multiplies a list, so that all entries are one and the same head
# named: repeated_module
import torch
from torch import nn

from course_lib import SingleHead


def make_heads(num_heads, d_model, head_dim, seed):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return nn.ModuleList([SingleHead(d_model, head_dim, bias=False)] * num_heads)
