# wrong: drops all sentences but the first
# named: first_sentence

import torch


def concatenate(heads):
    while heads.dim() > 3:
        heads = heads[:, 0]
    return torch.cat(list(heads), dim=-1)
