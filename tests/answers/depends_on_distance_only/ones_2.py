# wrong: tests with the vector of ones as query and key
# named: ones
import torch


def depends_on_distance_only(turn_query, turn_key, length, head_dim):
    one = torch.ones(length, head_dim)
    s = turn_query(one) @ turn_key(one).T
    return torch.allclose(s[1:, 1:], s[:-1, :-1], atol=1e-3)
