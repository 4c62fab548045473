# right
import numpy as np
import torch


def unpack_gpt2(weight):
    q, k, v = np.split(weight.detach().numpy(), 3, axis=1)
    return torch.from_numpy(q.T.copy()), torch.from_numpy(k.T.copy()), torch.from_numpy(v.T.copy())
