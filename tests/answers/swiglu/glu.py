# wrong: a sigmoid as the gate
# named: sigmoid
import torch


def swiglu(x, gate, up, down):
    return (torch.sigmoid(x @ gate.T) * (x @ up.T)) @ down.T
