# right
import torch


def three_masks(source_lengths, target_lengths, source_len, target_len):
    source = torch.stack([torch.arange(source_len) < n for n in source_lengths])[:, None, None]
    target = torch.stack([torch.arange(target_len) < n for n in target_lengths])[:, None, None]
    rows, columns = torch.arange(target_len)[:, None], torch.arange(target_len)
    return source, target.logical_and(columns <= rows), source
