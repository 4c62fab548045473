# right


def attend_all(query, key, value):
    scores = (query[:, None, :] * key[None, :, :]).sum(dim=-1)
    weights = (scores - scores.logsumexp(dim=1, keepdim=True)).exp()
    output = (weights[:, :, None] * value[None, :, :]).sum(dim=1)
    return output, weights
