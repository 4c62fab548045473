# wrong: what the other heads add, the output without head i
# named: without_this_head

import torch


def mix_heads(heads, w_out):
    blocks = w_out.chunk(len(heads), dim=1)
    parts = torch.stack([h @ b.T for h, b in zip(heads, blocks)])
    output = parts.sum(dim=0)
    return output, output - parts
