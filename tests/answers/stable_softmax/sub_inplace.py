# wrong: x is the same tensor as scores, so x -= max changes the caller's tensor
# named: changes_input


def stable_softmax(scores):
    x = scores
    x -= x.max(dim=-1, keepdim=True)[0]
    return x.exp() / x.exp().sum(dim=-1, keepdim=True)
