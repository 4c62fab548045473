# wrong: takes every num_heads-th column as the block of a head
# named: rejects_everything

import torch


def stay_identical(heads, out_proj, x):
    n = len(heads)
    same_heads = all(
        torch.allclose(p, q, atol=1e-5)
        for head in heads
        for p, q in zip(heads[0].parameters(), head.parameters())
    )
    blocks = [out_proj.weight[:, i::n] for i in range(n)]
    return same_heads and all(torch.allclose(blocks[0], b, atol=1e-5) for b in blocks)
