# wrong: updates the list from short to long in place, so paths pass a layer more than once
# named: through_a_layer_twice
import torch


def paths_by_length(x, weights):
    paths = [x] + [torch.zeros_like(x) for _ in weights]
    for w in weights:
        for k in range(1, len(paths)):
            paths[k] = paths[k] + paths[k - 1] @ w.T
    return torch.stack(paths)
