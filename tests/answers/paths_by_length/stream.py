# wrong: the stream after each layer
# named: stream_after_each
import torch


def paths_by_length(x, weights):
    paths = [x]
    for weight in weights:
        paths.append(paths[-1] + paths[-1] @ weight.T)
    return torch.stack(paths)
