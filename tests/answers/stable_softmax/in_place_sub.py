# wrong: changes the caller's tensor
# named: changes_input


def stable_softmax(scores):
    scores -= scores.max(dim=-1, keepdim=True).values
    e = scores.exp()
    return e / e.sum(dim=-1, keepdim=True)
