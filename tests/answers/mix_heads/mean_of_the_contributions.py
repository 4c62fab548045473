# wrong: the output is the mean of the contributions, not their sum
# named: mean_of_contributions

import torch


def mix_heads(heads, w_out):
    blocks = w_out.chunk(len(heads), dim=1)
    contributions = torch.stack([h @ b.T for h, b in zip(heads, blocks)])
    return contributions.mean(dim=0), contributions
