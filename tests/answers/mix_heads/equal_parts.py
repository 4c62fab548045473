# wrong: gives every head the same share of the output
# named: equal_shares
import torch
import torch.nn.functional as F


def mix_heads(heads, w_out):
    n = len(heads)
    output = F.linear(torch.cat(heads.unbind(0), dim=-1), w_out)
    return output, torch.stack([output / n] * n)
