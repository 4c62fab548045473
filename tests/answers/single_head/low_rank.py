# right


def single_head(x, w_query, w_key, w_value):
    middle = w_query.T @ w_key
    scores = x @ middle @ x.mT * w_query.shape[0] ** -0.5
    weights = (scores - scores.logsumexp(-1, keepdim=True)).exp()
    return (weights @ x) @ w_value.T, weights
