# wrong: the biases are laid in the reversed order of the heads
import torch


def heads_to_matrix(heads):
    w, b = [], []
    for h in heads:
        w.append(h.weight)
        b.insert(0, h.bias)
    return torch.cat(w, 0), torch.cat(b, 0)
