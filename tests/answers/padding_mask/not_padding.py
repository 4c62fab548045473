# right
import torch


def padding_mask(lengths, max_len):
    positions = torch.arange(max_len, device=lengths.device).expand(lengths.shape[0], max_len)
    is_padding = positions.ge(lengths.unsqueeze(1))
    return torch.logical_not(is_padding).unsqueeze(1).unsqueeze(1)
