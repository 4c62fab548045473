# wrong: gelu instead of SiLU
# named: gelu
import torch.nn.functional as F


def swiglu(x, gate, up, down):
    return (F.gelu(x @ gate.T) * (x @ up.T)) @ down.T
