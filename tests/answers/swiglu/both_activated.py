# wrong: SiLU on both branches
# named: activation_on_both
import torch.nn.functional as F


def swiglu(x, gate, up, down):
    g, u = F.silu(x @ gate.T), F.silu(x @ up.T)
    return (g * u) @ down.T
