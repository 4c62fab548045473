# right
import torch
from torch import nn

from course_lib import SingleHead


def make_heads(num_heads, d_model, head_dim, seed):
    before = torch.get_rng_state()
    try:
        torch.manual_seed(seed)
        return nn.ModuleList([SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads)])
    finally:
        torch.set_rng_state(before)
