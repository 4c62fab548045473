# wrong: takes the first text's targets for all texts
# named: first_texts_targets
import torch


def induction(weights, tokens):
    equal = (tokens[0][:, None] == tokens[0]).tril(-1)
    targets = torch.roll(equal, 1, dims=1)
    on = (weights * targets).sum(-1)
    return on.sum(dim=(0, 2)) / (targets.any(-1).sum() * len(tokens))
