# wrong: the slice -(max_len - length): is empty the wrong way round for a full sentence
# named: minus_zero
import torch


def padding_mask(lengths, max_len):
    mask = torch.ones(len(lengths), 1, 1, max_len, dtype=torch.bool)
    for b, n in enumerate(lengths.tolist()):
        mask[b, ..., -(max_len - n) :] = False
    return mask
