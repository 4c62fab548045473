# wrong: returns the contributions first
# named: swapped

import torch


def mix_heads(heads, w_out):
    blocks = w_out.chunk(len(heads), dim=1)
    contributions = torch.stack([h @ b.T for h, b in zip(heads, blocks)])
    return contributions, contributions.sum(dim=0)
