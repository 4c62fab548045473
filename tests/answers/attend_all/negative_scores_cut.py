# wrong: sets negative scores to 0 before dividing by the sum
# named: shares_of_scores


def attend_all(query, key, value):
    scores = (query @ key.T).clamp(min=0)
    weights = scores / scores.sum(dim=-1, keepdim=True)
    return weights @ value, weights
