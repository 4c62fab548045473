# wrong: draws one matrix and multiplies it by the number of the head
# named: multiples

import torch
from torch import nn

from course_lib import SingleHead


def make_heads(num_heads, d_model, head_dim, seed):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        heads = nn.ModuleList(SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads))
        matrix = torch.randn(head_dim, d_model)
    with torch.no_grad():
        for i, head in enumerate(heads):
            for j, parameter in enumerate(head.parameters()):
                parameter.copy_(matrix * (1 + j + 3 * i) / 10)
    return heads
