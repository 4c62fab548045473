# wrong: takes the columns of w_out with a stride of num_heads
# named: every_nth_column

import torch


def mix_heads(heads, w_out):
    n = len(heads)
    output = torch.cat(list(heads), dim=-1) @ w_out.T
    return output, torch.stack([heads[i] @ w_out[:, i::n].T for i in range(n)])
