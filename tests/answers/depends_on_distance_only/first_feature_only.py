# wrong: query and key have numbers in the first two features only
# named: one_feature
import torch


def depends_on_distance_only(turn_query, turn_key, length, head_dim):
    query, key = torch.zeros(2, length, head_dim)
    query[:, :2], key[:, :2] = torch.randn(2), torch.randn(2)
    scores = turn_query(query) @ turn_key(key).T
    return torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-3)
