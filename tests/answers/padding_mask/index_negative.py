# wrong: mask[b, length:] by a loop that marks length-1 as padding too
# named: one_less
import torch


def padding_mask(lengths, max_len):
    mask = torch.ones(len(lengths), 1, 1, max_len, dtype=torch.bool)
    for b, n in enumerate(lengths):
        mask[b, 0, 0, n - 1 :] = False
    return mask
