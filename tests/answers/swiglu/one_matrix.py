# right
import torch
from torch.nn.functional import silu


def swiglu(x, gate, up, down):
    both = x @ torch.cat([up, gate], dim=0).T
    u, g = both.split(up.shape[0], dim=-1)
    return (u * silu(g)) @ down.T
