# wrong: through NumPy, so that no gradient reaches weight
# named: cut_off
import numpy as np
import torch


def neighbours_to_halves(weight, num_heads):
    heads = np.split(weight.detach().numpy(), num_heads)
    return torch.from_numpy(np.concatenate([np.concatenate((h[::2], h[1::2])) for h in heads]))
