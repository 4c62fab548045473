# wrong: <= instead of <, so one padding token is shown
# named: one_more

import torch


def padding_mask(lengths, max_len):
    return (torch.arange(max_len) <= lengths[:, None])[:, None, None, :]
