# wrong: positions as uint8, which wrap round at 256
# named: wraps_at_256
import torch


def padding_mask(lengths, max_len):
    positions = torch.arange(max_len).to(torch.uint8)
    return (positions < lengths[:, None])[:, None, None, :]
