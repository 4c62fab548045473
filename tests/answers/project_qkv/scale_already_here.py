# wrong: divides the query by the square root of head_dim already
# named: scaled

import math


def project_qkv(x, w_query, w_key, w_value):
    query = x @ w_query.T / math.sqrt(w_query.shape[0])
    return query, x @ w_key.T, x @ w_value.T
