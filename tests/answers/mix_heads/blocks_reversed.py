# wrong: the first head meets the last block
# named: blocks_reversed

import torch


def mix_heads(heads, w_out):
    output = torch.cat(list(heads), dim=-1) @ w_out.T
    blocks = reversed(w_out.chunk(len(heads), dim=1))
    return output, torch.stack([h @ b.T for h, b in zip(heads, blocks)])
