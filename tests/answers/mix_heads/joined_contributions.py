# wrong: contributions hold the head in its place of the joined vector, before W_O
# named: before_w_out

import torch


def mix_heads(heads, w_out):
    joined = torch.cat(list(heads), dim=-1)
    contributions = []
    for i in range(len(heads)):
        only = torch.zeros_like(heads)
        only[i] = heads[i]
        contributions.append(torch.cat(list(only), dim=-1))
    return joined @ w_out.T, torch.stack(contributions)
