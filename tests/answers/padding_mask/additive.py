# wrong: 0 and minus infinity, to be added to the scores
# named: additive
import torch


def padding_mask(lengths, max_len):
    mask = torch.zeros(len(lengths), 1, 1, max_len)
    padded = torch.arange(max_len) >= lengths[:, None]
    return mask.masked_fill(padded[:, None, None, :], float("-inf"))
