# wrong: another random vector at each place
# named: different_vectors
import torch


def depends_on_distance_only(turn_query, turn_key, length, head_dim):
    query = turn_query(torch.randn(length, head_dim))
    key = turn_key(torch.randn(length, head_dim))
    scores = query @ key.T
    return torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-3)
