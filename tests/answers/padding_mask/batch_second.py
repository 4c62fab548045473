# wrong: (1, batch, 1, max_len), the batch stands in the dimension of the heads
# named: batch_not_first
import torch


def padding_mask(lengths, max_len):
    return (torch.arange(max_len) < lengths[:, None])[None, :, None, :]
