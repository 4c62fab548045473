# wrong: True = blocked, as in nn.Transformer
# named: inverted
import torch


def three_masks(source_lengths, target_lengths, source_len, target_len):
    source = (torch.arange(source_len) >= source_lengths[:, None])[:, None, None]
    target = (torch.arange(target_len) >= target_lengths[:, None])[:, None, None]
    future = torch.ones(target_len, target_len).triu(1).bool()
    return source, target | future, source
