# wrong: each contribution is output / num_heads, not the head's own part
# named: equal_shares
import torch


def mix_heads(heads, w_out):
    output = torch.cat(tuple(heads), -1) @ w_out.mT
    contributions = (output / len(heads)).expand(len(heads), *output.shape)
    return output, contributions
