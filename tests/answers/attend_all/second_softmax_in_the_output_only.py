# wrong: the weights are right, but the output mixes with a softmax of the weights
# named: softmax_again_for_output

import torch.nn.functional as F


def attend_all(query, key, value):
    weights = F.softmax(query @ key.T, dim=-1)
    output = F.softmax(weights, dim=-1) @ value
    return output, weights
