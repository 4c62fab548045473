# wrong: masks after the softmax and renormalises: a large blocked score leaves 0/0
# named: renormalised_after


def masked_softmax(scores, mask):
    w = scores.softmax(-1) * mask
    return w / w.sum(-1, keepdim=True)
