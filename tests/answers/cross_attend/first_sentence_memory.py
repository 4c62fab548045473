# wrong: with a batch, every sentence reads the memory of the first one
# named: first_memory_for_all
import math


def cross_attend(x, memory, w_query, w_key, w_value):
    if memory.dim() > 2:
        memory = memory[:1].expand(memory.shape)
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
    return weights @ v, weights
