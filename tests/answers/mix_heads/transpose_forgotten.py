# wrong: the joined heads times w_out without the transpose
# named: not_transposed

import torch


def mix_heads(heads, w_out):
    output = torch.cat(list(heads), dim=-1) @ w_out
    blocks = w_out.chunk(len(heads), dim=0)
    return output, torch.stack([h @ b for h, b in zip(heads, blocks)])
