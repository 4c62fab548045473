# right

import numpy as np
import torch


def is_equivariant(layer, x):
    rng = np.random.default_rng(1)
    before = layer(x).detach().numpy()
    for _ in range(20):
        order = rng.permutation(len(x))
        after = layer(x[torch.from_numpy(order)]).detach().numpy()
        if not np.allclose(after, before[order], atol=1e-5):
            return False
    return True
