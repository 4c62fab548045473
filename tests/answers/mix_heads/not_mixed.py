# wrong: returns the joined heads without W_O
# named: without_w_out

import torch


def mix_heads(heads, w_out):
    output = torch.cat(list(heads), dim=-1)
    return output, torch.stack([h @ b.T for h, b in zip(heads, w_out.chunk(len(heads), dim=1))])
