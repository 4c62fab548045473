# wrong: draws another vector for each place
# named: different_vectors

import torch


def depends_on_distance_only(turn_query, turn_key, length, head_dim):
    s = turn_query(torch.randn(length, head_dim)) @ turn_key(torch.randn(length, head_dim)).T
    return torch.allclose(s[1:, 1:], s[:-1, :-1], atol=1e-3)
