# wrong: returns 1.0 and 0.0
# named: dtype
import torch


def padding_mask(lengths, max_len):
    mask = torch.zeros(len(lengths), 1, 1, max_len)
    for b, n in enumerate(lengths):
        mask[b, 0, 0, :n] = 1
    return mask
