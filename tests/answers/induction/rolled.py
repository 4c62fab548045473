# wrong: roll, with the last column round to the front
# named: rolled_first


def induction(weights, tokens):
    equal = tokens[:, :, None] == tokens[:, None, :]
    targets = equal.roll(1, dims=2).tril()
    found = (weights * targets[:, None]).sum(dim=-1)
    return found.sum(dim=(0, 2)) / targets.any(dim=-1).sum()
