# wrong: divides the output by the number of heads and calls that the contributions
# named: equal_shares

import torch


def mix_heads(heads, w_out):
    output = torch.cat(list(heads), dim=-1) @ w_out.T
    return output, torch.stack([output / len(heads) for _ in heads])
