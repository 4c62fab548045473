# wrong: all inputs are zero and the lengths equal, so that the wrong axis gives the same weights
# named: equal_inputs
import torch


def rows_sum_to_one(attention):
    z = torch.zeros(4, 4)
    _, weights = attention(z, z, z)
    return bool((weights >= 0).all()) and torch.allclose(weights.sum(-1), torch.ones(4), atol=1e-5)
