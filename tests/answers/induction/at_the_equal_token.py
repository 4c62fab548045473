# wrong: looks at the equal token itself
# named: on_the_equal_token


def induction(weights, tokens):
    equal = tokens[:, :, None] == tokens[:, None, :]
    targets = equal.tril(-1)
    found = (weights * targets[:, None]).sum(dim=-1)
    return found.sum(dim=(0, 2)) / targets.any(dim=-1).sum()
