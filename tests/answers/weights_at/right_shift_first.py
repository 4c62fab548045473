# right


def weights_at(scores, temperature):
    shifted = scores - scores.max(dim=-1, keepdim=True)[0]
    e = (shifted / temperature).exp() if temperature else 1.0 * shifted.eq(0).type_as(scores)
    return e / e.sum(dim=-1, keepdim=True)
