# wrong: gelu by tanh instead of SiLU
# named: gelu
import torch.nn.functional as F


def swiglu(x, gate, up, down):
    gated = F.gelu(F.linear(x, gate), approximate="tanh")
    return F.linear(gated * F.linear(x, up), down)
