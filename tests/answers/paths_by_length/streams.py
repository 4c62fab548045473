# wrong: returns the stream after each layer
# named: stream_after_each
import torch


def paths_by_length(x, weights):
    out = [x]
    for w in weights:
        out.append(out[-1] + out[-1] @ w.T)
    return torch.stack(out)
