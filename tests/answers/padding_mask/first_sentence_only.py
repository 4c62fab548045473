# wrong: every sentence gets the mask of the first one
# named: first_for_all
import torch


def padding_mask(lengths, max_len):
    row = torch.arange(max_len) < lengths[0]
    return row.expand(len(lengths), 1, 1, max_len)
