# wrong: equal shares among the allowed keys
# named: equal_shares
def masked_softmax(scores, mask):
    mask = mask.expand(scores.shape).to(scores.dtype)
    return mask / mask.sum(dim=-1, keepdim=True)
