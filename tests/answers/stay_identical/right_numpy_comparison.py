# right

import numpy as np


def stay_identical(heads, out_proj, x):
    first = {name: value.numpy() for name, value in heads[0].state_dict().items()}
    for head in heads:
        for name, value in head.state_dict().items():
            if not np.allclose(first[name], value.numpy(), atol=1e-6):
                return False
    w = out_proj.weight.detach().numpy()
    w = w.reshape(w.shape[0], len(heads), -1)
    return bool(np.abs(w - w[:, :1]).max() < 1e-6)
