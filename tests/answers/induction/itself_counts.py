# wrong: takes the query itself for an earlier token, so everyone has the next key as target
# named: own_position_counts
import torch.nn.functional as F


def induction(weights, tokens):
    equal = (tokens[:, :, None] == tokens[:, None, :]).tril()
    targets = F.pad(equal[:, :, :-1], (1, 0))
    on = (weights * targets[:, None]).sum(-1)
    return on.sum(dim=(0, 2)) / targets.any(-1).sum()
