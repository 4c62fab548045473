# wrong: the targets are the earlier equal tokens themselves, not the keys after them
# named: on_the_equal_token


def induction(weights, tokens):
    t = (tokens[:, :, None] == tokens[:, None, :]).tril(-1)
    s = (weights * t[:, None]).sum(-1)
    return s.sum((0, 2)) / t.any(-1).sum()
