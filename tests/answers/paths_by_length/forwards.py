# wrong: changes the list from the shortest to the longest
# named: through_a_layer_twice
import torch


def paths_by_length(x, weights):
    paths = [x] + [torch.zeros_like(x) for _ in weights]
    for weight in weights:
        for k in range(1, len(paths)):
            paths[k] = paths[k] + paths[k - 1] @ weight.T
    return torch.stack(paths)
