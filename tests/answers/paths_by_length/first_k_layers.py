# wrong: entry k is the one path through the first k layers
# named: without_the_sum
import torch


def paths_by_length(x, weights):
    out = [x]
    for w in weights:
        out.append(out[-1] @ w.T)
    return torch.stack(out)
