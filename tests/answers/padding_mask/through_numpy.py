# right
import numpy as np
import torch


def padding_mask(lengths, max_len):
    table = np.arange(max_len)[None] < lengths.numpy()[:, None]
    return torch.from_numpy(table)[:, None, None]
