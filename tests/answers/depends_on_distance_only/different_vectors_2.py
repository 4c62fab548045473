# wrong: draws another vector for each place, so the scores differ anyway
# named: different_vectors
import torch


def depends_on_distance_only(turn_query, turn_key, length, head_dim):
    q, k = torch.randn(length, head_dim), torch.randn(length, head_dim)
    s = turn_query(q) @ turn_key(k).T
    return torch.allclose(s[1:, 1:], s[:-1, :-1], atol=1e-3)
