# wrong: roll moves the columns round, after a tril that keeps the diagonal: the query's own successor counts


def induction(weights, tokens):
    same = (tokens[:, :, None] == tokens[:, None, :]).tril()
    t = same.roll(1, dims=-1)
    return (weights * t[:, None]).sum((0, 2, 3)) / t.any(-1).sum()
