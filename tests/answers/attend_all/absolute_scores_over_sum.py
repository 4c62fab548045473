# wrong: divides the absolute scores by their sum
# named: shares_of_scores


def attend_all(query, key, value):
    scores = (query @ key.T).abs()
    weights = scores / scores.sum(dim=-1, keepdim=True)
    return weights @ value, weights
