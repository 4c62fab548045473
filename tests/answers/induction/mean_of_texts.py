# wrong: averages each text and then the texts
# named: text_first_some_0
import torch


def induction(weights, tokens):
    equal = (tokens[:, :, None] == tokens[:, None, :]).tril(-1)
    targets = torch.roll(equal, 1, dims=2)
    on = (weights * targets[:, None]).sum(-1).sum(-1)
    return (on / targets.any(-1).sum(-1).clamp(min=1)[:, None]).mean(0)
