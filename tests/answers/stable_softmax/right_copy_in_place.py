# right


def stable_softmax(scores):
    result = scores.clone()
    result -= result.amax(-1, True)
    result.exp_()
    result /= result.sum(-1, True)
    return result
