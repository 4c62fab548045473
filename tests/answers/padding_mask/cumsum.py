# right

import torch


def padding_mask(lengths, max_len):
    ones = torch.ones(len(lengths), max_len, dtype=torch.long, device=lengths.device)
    return (ones.cumsum(1) <= lengths.unsqueeze(1)).reshape(-1, 1, 1, max_len)
