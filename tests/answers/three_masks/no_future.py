# wrong: no causal mask in the decoder
# named: decoder_sees_the_future
import torch


def three_masks(source_lengths, target_lengths, source_len, target_len):
    source = (torch.arange(source_len) < source_lengths[:, None])[:, None, None]
    target = (torch.arange(target_len) < target_lengths[:, None])[:, None, None]
    return source, target.repeat(1, 1, target_len, 1), source
