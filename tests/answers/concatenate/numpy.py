# wrong: goes through NumPy, which cuts the gradient
# named: cut_off
import numpy as np
import torch


def concatenate(heads):
    return torch.from_numpy(np.concatenate(list(heads.detach().numpy()), axis=-1))
