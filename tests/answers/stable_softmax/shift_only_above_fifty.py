# wrong: subtracts only if the first row is large


def stable_softmax(scores):
    if scores.flatten()[0] > 50:
        scores = scores - scores.max(dim=-1, keepdim=True).values
    e = scores.exp()
    return e / e.sum(dim=-1, keepdim=True)
