# wrong: clamps the scores to at most 80 instead of subtracting the maximum, which makes large scores equal
# named: clamped


def stable_softmax(scores):
    e = scores.clamp(min=-80, max=80).exp()
    return e / e.sum(-1, keepdim=True)
