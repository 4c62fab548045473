# right
import torch
from torch import nn

from course_lib import SingleHead


def make_heads(num_heads, d_model, head_dim, seed):
    g = torch.Generator().manual_seed(seed)
    heads = nn.ModuleList()
    for _ in range(num_heads):
        head = SingleHead(d_model, head_dim, bias=False, device="meta").to_empty(device="cpu")
        for p in head.parameters():
            p.data.copy_(torch.rand(p.shape, generator=g) * 2 - 1).mul_(d_model**-0.5)
        heads.append(head)
    return heads
