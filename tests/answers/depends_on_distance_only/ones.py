# wrong: a single query and key of ones
# named: ones
import torch


def depends_on_distance_only(turn_query, turn_key, length, head_dim):
    ones = torch.ones(length, head_dim)
    scores = turn_query(ones) @ turn_key(ones).T
    return torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-3)
