# wrong: the real tokens are put at the end of the row
# named: at_the_end
import torch


def padding_mask(lengths, max_len):
    positions = torch.arange(max_len)
    return (positions >= max_len - lengths[:, None])[:, None, None, :]
