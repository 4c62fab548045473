# wrong: as long as the longest sentence, not max_len
# named: cut_at_longest

import torch


def padding_mask(lengths, max_len):
    n = int(lengths.max())
    return (torch.arange(n)[None] < lengths[:, None])[:, None, None]
