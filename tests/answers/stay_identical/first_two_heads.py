# wrong: compares heads 0 and 1 only
# named: first_two_only

import torch


def stay_identical(heads, out_proj, x):
    blocks = out_proj.weight.chunk(len(heads), dim=1)
    pairs = zip(heads[0].parameters(), heads[1].parameters())
    same = all(torch.allclose(p, q, atol=1e-5) for p, q in pairs)
    return same and torch.allclose(blocks[0], blocks[1], atol=1e-5)
