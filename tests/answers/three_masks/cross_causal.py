# wrong: the cross mask is causal
# named: cross_causal
import torch


def three_masks(source_lengths, target_lengths, source_len, target_len):
    source = (torch.arange(source_len) < source_lengths[:, None])[:, None, None]
    target = (torch.arange(target_len) < target_lengths[:, None])[:, None, None]
    own = torch.ones(target_len, target_len).tril().bool()
    cross = torch.ones(target_len, source_len).tril().bool()
    return source, target & own, source & cross
