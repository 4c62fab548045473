# wrong: equal shares among the allowed keys
def masked_softmax(scores, mask):
    mask = mask.expand(scores.shape).to(scores.dtype)
    return mask / mask.sum(dim=-1, keepdim=True)
