# wrong: subtracts the mean of the row, so that the largest exponent can still overflow
# named: minus_mean


def stable_softmax(scores):
    e = (scores - scores.mean(dim=-1, keepdim=True)).exp()
    return e / e.sum(dim=-1, keepdim=True)
