# wrong: the loop ends one head too early
# named: last_head_missing

import torch


def concatenate(heads):
    joined = heads[0]
    for i in range(1, len(heads) - 1):
        joined = torch.cat([joined, heads[i]], dim=-1)
    return joined
