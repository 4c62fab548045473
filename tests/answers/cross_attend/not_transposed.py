# wrong: the matrices are not transposed where they happen to be square
import math


def cross_attend(x, memory, w_query, w_key, w_value):
    def project(t, w):
        return t @ w if t.shape[-1] == w.shape[0] else t @ w.T

    q, k, v = project(x, w_query), project(memory, w_key), project(memory, w_value)
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
    return weights @ v, weights
