# right
import torch


def swiglu(x, gate, up, down):
    g = torch.einsum("...i,hi->...h", x, gate)
    u = torch.einsum("...i,hi->...h", x, up)
    return torch.einsum("...h,oh->...o", g * g.sigmoid() * u, down)
