# wrong: compares the heads and not the blocks of out_proj
# named: heads_only

import torch


def stay_identical(heads, out_proj, x):
    first = heads[0].state_dict()
    return all(
        torch.allclose(first[name], weight, atol=1e-5)
        for head in heads
        for name, weight in head.state_dict().items()
    )
