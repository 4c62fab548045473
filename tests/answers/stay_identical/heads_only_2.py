# wrong: compares the heads and forgets the blocks of out_proj
# named: heads_only
import torch


def stay_identical(heads, out_proj, x):
    first = list(heads[0].parameters())
    return all(
        torch.allclose(a, b, atol=1e-5) for h in heads for a, b in zip(first, h.parameters())
    )
