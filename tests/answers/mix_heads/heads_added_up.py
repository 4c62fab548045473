# wrong: adds the heads and multiplies by the first block
# named: first_block_for_all

import torch


def mix_heads(heads, w_out):
    blocks = torch.stack(w_out.chunk(len(heads), dim=1))
    contributions = heads @ blocks[0].T
    return contributions.sum(dim=0), contributions
