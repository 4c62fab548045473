# wrong: contribution i is the sum of the heads up to i
# named: running_sums

import torch


def mix_heads(heads, w_out):
    blocks = w_out.chunk(len(heads), dim=1)
    contributions = torch.stack([h @ b.T for h, b in zip(heads, blocks)]).cumsum(dim=0)
    return contributions[-1], contributions
