# wrong: the shape is (batch, 1, max_len, 1): the mask hides queries, not keys
# named: queries_masked

import torch


def padding_mask(lengths, max_len):
    return (torch.arange(max_len)[None] < lengths[:, None])[:, None, :, None]
