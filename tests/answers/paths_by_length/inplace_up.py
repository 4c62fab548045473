# wrong: updates the list from the shortest to the longest, so paths go through a layer more than once
# named: through_a_layer_twice

import torch


def paths_by_length(x, weights):
    n = len(weights)
    paths = [x] + [torch.zeros_like(x) for _ in range(n)]
    for w in weights:
        for k in range(1, n + 1):
            paths[k] = paths[k] + paths[k - 1] @ w.T
    return torch.stack(paths)
