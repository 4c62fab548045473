# wrong: returns (batch, max_len)
# named: two_dimensions
import torch


def padding_mask(lengths, max_len):
    return torch.arange(max_len) < lengths.unsqueeze(1)
