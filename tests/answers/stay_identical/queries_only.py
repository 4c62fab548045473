# wrong: compares the query projections and the blocks
# named: queries_only

import torch


def stay_identical(heads, out_proj, x):
    blocks = out_proj.weight.chunk(len(heads), dim=1)
    first = heads[0].q_proj.weight
    same = all(torch.allclose(first, head.q_proj.weight, atol=1e-5) for head in heads)
    return same and all(torch.allclose(blocks[0], b, atol=1e-5) for b in blocks)
