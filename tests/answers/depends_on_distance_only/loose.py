# wrong: atol=0.5
# named: too_loose
import torch


def depends_on_distance_only(turn_query, turn_key, length, head_dim):
    query = turn_query(torch.randn(head_dim).expand(length, -1))
    key = turn_key(torch.randn(head_dim).expand(length, -1))
    scores = query @ key.T
    return torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=0.5)
