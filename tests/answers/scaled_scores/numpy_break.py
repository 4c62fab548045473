# wrong: goes through NumPy, which cuts the gradient and returns float64
# named: dtype
import numpy as np
import torch


def scaled_scores(query, key):
    q, k = query.detach().numpy(), key.detach().numpy()
    return torch.from_numpy(np.matmul(q, np.swapaxes(k, -1, -2)) / np.sqrt(q.shape[-1]))
