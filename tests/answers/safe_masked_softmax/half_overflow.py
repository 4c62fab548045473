# wrong: exp and sum without subtracting the maximum, so large scores overflow
# named: without_maximum


def safe_masked_softmax(scores, mask):
    e = scores.exp().masked_fill(~mask, 0.0)
    return e / e.sum(-1, keepdim=True).clamp(min=1e-6)
