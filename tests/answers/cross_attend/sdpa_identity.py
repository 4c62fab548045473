# right

import torch


def cross_attend(x, memory, w_query, w_key, w_value):
    lin = torch.nn.functional.linear
    folded = lin(lin(x, w_query), w_key.T) * w_query.size(0) ** -0.5
    weights = torch.einsum("...qm,...km->...qk", folded, memory).softmax(dim=-1)
    return lin(weights @ memory, w_value), weights
