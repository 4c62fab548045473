# wrong: through NumPy, so that nothing can be learned
# named: cut_off
import numpy as np
import torch


def rms_norm(x, weight, eps):
    a = x.detach().numpy()
    a = a / np.sqrt((a**2).mean(-1, keepdims=True) + eps)
    return torch.from_numpy(a.astype(a.dtype)).to(x.dtype) * weight.detach()
