# wrong: one of the two is enough
# named: one_of_both

import torch


def stay_identical(heads, out_proj, x):
    blocks = out_proj.weight.chunk(len(heads), dim=1)
    same_blocks = all(torch.allclose(blocks[0], b, atol=1e-5) for b in blocks)
    first = heads[0]
    same_heads = all(
        torch.allclose(p, q, atol=1e-5)
        for head in heads
        for p, q in zip(first.parameters(), head.parameters())
    )
    return same_heads or same_blocks
