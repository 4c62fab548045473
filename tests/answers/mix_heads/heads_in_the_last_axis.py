# wrong: stacks the contributions along a new last axis
# named: heads_last

import torch


def mix_heads(heads, w_out):
    blocks = w_out.chunk(len(heads), dim=1)
    parts = [h @ b.T for h, b in zip(heads, blocks)]
    return sum(parts), torch.stack(parts, dim=-1)
