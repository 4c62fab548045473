# wrong: (batch, max_len, 1, 1), the keys are not last
# named: keys_not_last
import torch


def padding_mask(lengths, max_len):
    return (torch.arange(max_len) < lengths[:, None])[:, :, None, None]
