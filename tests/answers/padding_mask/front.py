# wrong: True for the last length positions, as if the filling were in front
# named: at_the_end

import torch


def padding_mask(lengths, max_len):
    pos = torch.arange(max_len)
    return (pos[None] >= max_len - lengths[:, None]).view(-1, 1, 1, max_len)
