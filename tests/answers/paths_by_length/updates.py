# wrong: what each layer adds to the stream
# named: by_layer
import torch


def paths_by_length(x, weights):
    stream, paths = x, [x]
    for weight in weights:
        update = stream @ weight.T
        paths.append(update)
        stream = stream + update
    return torch.stack(paths)
