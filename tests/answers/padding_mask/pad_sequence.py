# right
import torch
import torch.nn.functional as F


def padding_mask(lengths, max_len):
    rows = [F.pad(torch.ones(int(n)), (0, max_len - int(n))) for n in lengths]
    return torch.stack(rows).bool().view(len(lengths), 1, 1, max_len)
