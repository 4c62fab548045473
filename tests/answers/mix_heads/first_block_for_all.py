# wrong: every head uses the first block of w_out
# named: first_block_for_all

import torch


def mix_heads(heads, w_out):
    output = torch.cat(list(heads), dim=-1) @ w_out.T
    return output, heads @ w_out[:, : heads.shape[-1]].T
