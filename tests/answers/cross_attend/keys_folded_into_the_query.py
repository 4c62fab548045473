# right
def cross_attend(x, memory, w_query, w_key, w_value):
    form = w_query.T @ w_key / w_query.shape[0] ** 0.5
    weights = (x @ form @ memory.transpose(-1, -2)).softmax(dim=-1)
    return weights @ (memory @ w_value.T), weights
