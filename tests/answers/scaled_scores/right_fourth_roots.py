# right


def scaled_scores(query, key):
    root = query.shape[-1] ** 0.25
    return (query / root) @ (key / root).mT
