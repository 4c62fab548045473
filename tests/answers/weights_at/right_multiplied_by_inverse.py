# right


def weights_at(scores, temperature):
    best = (scores == scores.amax(dim=-1, keepdim=True)).type_as(scores)
    if not temperature:
        return best / best.sum(dim=-1, keepdim=True)
    wide = scores.double() * (1.0 / temperature)
    return (wide - wide.logsumexp(dim=-1, keepdim=True)).exp().to(scores.dtype)
