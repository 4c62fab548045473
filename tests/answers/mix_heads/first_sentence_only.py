# wrong: the contributions are those of the first sentence for all
# named: first_sentence

import torch


def mix_heads(heads, w_out):
    blocks = w_out.chunk(len(heads), dim=1)
    contributions = torch.stack([h @ b.T for h, b in zip(heads, blocks)])
    output = contributions.sum(dim=0)
    if heads.dim() > 3:
        contributions = contributions[:, :1].expand_as(contributions)
    return output, contributions
