# right
import math


def masked_softmax(scores, mask):
    s = scores.double().masked_fill(~mask, -math.inf)
    e = (s - s.amax(dim=-1, keepdim=True)).exp()
    return (e / e.sum(dim=-1, keepdim=True)).to(scores.dtype)
