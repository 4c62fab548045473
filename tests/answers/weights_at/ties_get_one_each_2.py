# wrong: every tied winner gets weight 1 instead of a share
# named: ties_not_shared


def weights_at(scores, temperature):
    if temperature == 0:
        return (scores == scores.amax(-1, keepdim=True)).to(scores.dtype)
    return (scores / temperature).softmax(-1)
