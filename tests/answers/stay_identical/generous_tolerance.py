# wrong: a tolerance of 0.1
# named: too_loose

import torch


def stay_identical(heads, out_proj, x):
    blocks = out_proj.weight.chunk(len(heads), dim=1)
    same = all(
        torch.allclose(p, q, atol=0.1)
        for head in heads
        for p, q in zip(heads[0].parameters(), head.parameters())
    )
    return same and all(torch.allclose(blocks[0], b, atol=0.1) for b in blocks)
