# wrong: makes the table key @ query.T and returns it as it is, (key_len, query_len): the weights are transposed, the output is right
# named: weights_returned_transposed

import torch


def attend_all(query, key, value):
    scores = key @ query.mT
    weights = torch.softmax(scores, dim=0)
    output = weights.mT @ value
    return output, weights
