# right
import torch


def swiglu(x, gate, up, down):
    z = x @ gate.transpose(0, 1)
    swish = z / (1 + torch.exp(-z))
    return torch.matmul(swish * (x @ up.transpose(0, 1)), down.transpose(0, 1))
