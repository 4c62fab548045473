# wrong: one vector is both query and key
# named: one_vector
import torch


def depends_on_distance_only(turn_query, turn_key, length, head_dim):
    vector = torch.randn(head_dim).expand(length, -1)
    scores = turn_query(vector) @ turn_key(vector).T
    return torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-3)
