# wrong: 1 and 0 as integers instead of True and False
# named: dtype
import torch


def padding_mask(lengths, max_len):
    mask = torch.zeros(len(lengths), 1, 1, max_len, dtype=torch.long)
    for b, n in enumerate(lengths.tolist()):
        mask[b, :, :, :n] = 1
    return mask
