# wrong: sets heads to zero in the caller's tensor
# named: changes_input

import torch


def mix_heads(heads, w_out):
    output = torch.cat(list(heads), dim=-1) @ w_out.T
    contributions = []
    before = output
    for i in range(len(heads)):
        heads[i] = 0
        after = torch.cat(list(heads), dim=-1) @ w_out.T
        contributions.append(before - after)
        before = after
    return output, torch.stack(contributions)
