# wrong: seeds head i with seed + i, so that the next seed repeats all heads but one
# named: neighbouring_seeds
import torch
from torch import nn

from course_lib import SingleHead


def make_heads(num_heads, d_model, head_dim, seed):
    heads = nn.ModuleList()
    with torch.random.fork_rng(devices=[]):
        for i in range(num_heads):
            torch.manual_seed(seed + i)
            heads.append(SingleHead(d_model, head_dim, bias=False))
    return heads
