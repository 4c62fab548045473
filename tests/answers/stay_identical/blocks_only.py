# wrong: compares the blocks of out_proj and not the heads
# named: w_out_only

import torch


def stay_identical(heads, out_proj, x):
    blocks = out_proj.weight.chunk(len(heads), dim=1)
    return all(torch.allclose(blocks[0], block, atol=1e-5) for block in blocks)
