# wrong: multiplies by the sigmoid of what SiLU gives
# named: activation_twice
import torch
import torch.nn.functional as F


def swiglu(x, gate, up, down):
    z = F.silu(x @ gate.T)
    return (z * torch.sigmoid(z) * (x @ up.T)) @ down.T
