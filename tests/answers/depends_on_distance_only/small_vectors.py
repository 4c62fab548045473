# wrong: vectors of size 0.01, whose scores are below the tolerance
# named: small_vectors
import torch


def depends_on_distance_only(turn_query, turn_key, length, head_dim):
    query = turn_query(0.01 * torch.randn(head_dim).expand(length, -1))
    key = turn_key(0.01 * torch.randn(head_dim).expand(length, -1))
    scores = query @ key.T
    return torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-3)
