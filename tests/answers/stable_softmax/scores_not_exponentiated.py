# wrong: divides the shifted scores by their sum and leaves out exp
# named: without_exp


def stable_softmax(scores):
    shifted = scores - scores.max(dim=-1, keepdim=True).values
    return shifted / shifted.sum(dim=-1, keepdim=True)
