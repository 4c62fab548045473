# wrong: tanh instead of SiLU
# named: tanh
import torch


def swiglu(x, gate, up, down):
    return (torch.tanh(x @ gate.T) * (x @ up.T)) @ down.T
