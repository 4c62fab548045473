# wrong: SiLU on x, before the gate's map
# named: activation_first
import torch.nn.functional as F


def swiglu(x, gate, up, down):
    return ((F.silu(x) @ gate.T) * (x @ up.T)) @ down.T
