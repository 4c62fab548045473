# wrong: marks the last places as real, as if the filling were in front
# named: at_the_end
import torch


def padding_mask(lengths, max_len):
    return (torch.arange(max_len) >= max_len - lengths[:, None])[:, None, None]
