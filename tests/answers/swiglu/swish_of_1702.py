# wrong: z times sigmoid(1.702 z)
# named: quick_gelu
import torch


def swiglu(x, gate, up, down):
    z = x @ gate.T
    return (z * torch.sigmoid(1.702 * z) * (x @ up.T)) @ down.T
