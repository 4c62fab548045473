# right
import torch
from torch import nn

from course_lib import SingleHead


def make_heads(num_heads, d_model, head_dim, seed):
    state = torch.get_rng_state()
    try:
        torch.manual_seed(seed)
        modules = nn.ModuleList()
        while len(modules) < num_heads:
            modules.append(SingleHead(d_model, head_dim, bias=False))
    finally:
        torch.set_rng_state(state)
    return modules
