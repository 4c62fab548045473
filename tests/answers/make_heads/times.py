# wrong: one head is repeated num_heads times in the ModuleList
# named: repeated_module
import torch
from torch import nn

from course_lib import SingleHead


def make_heads(num_heads, d_model, head_dim, seed):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return nn.ModuleList([SingleHead(d_model, head_dim, bias=False)] * num_heads)
