# right


def masked_softmax(scores, mask):
    return (scores + mask.to(scores.dtype).log()).softmax(-1)
