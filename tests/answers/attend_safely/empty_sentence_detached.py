# wrong: values are detached when one sentence of the batch is empty
# named: gradient_cut
import math


def attend_safely(query, key, value, mask):
    has_any = mask.any(dim=-1, keepdim=True)
    if not has_any.all():
        value = value.detach()
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~mask & has_any, -math.inf).softmax(dim=-1)
    weights = weights.masked_fill(~has_any, 0.0)
    return weights @ value, weights
