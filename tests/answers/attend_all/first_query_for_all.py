# wrong: computes the weights of the first query and repeats them for every query
# named: first_query_for_all

import torch


def attend_all(query, key, value):
    first = torch.softmax(key @ query[0], dim=0)
    weights = first.expand(len(query), len(key))
    return weights @ value, weights
