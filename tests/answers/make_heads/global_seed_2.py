# wrong: seeds the global generator and does not restore it
# named: resets_the_global_generator
import torch
from torch import nn

from course_lib import SingleHead


def make_heads(num_heads, d_model, head_dim, seed):
    torch.manual_seed(seed)
    return nn.ModuleList([SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads)])
