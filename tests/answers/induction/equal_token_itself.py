# wrong: looks at the earlier equal token, not at the one after it
# named: on_the_equal_token


def induction(weights, tokens):
    targets = (tokens[:, :, None] == tokens[:, None, :]).tril(-1)
    on = (weights * targets[:, None]).sum(-1)
    return on.sum(dim=(0, 2)) / targets.any(-1).sum()
