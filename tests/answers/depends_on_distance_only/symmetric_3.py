# wrong: asks that the score be the same on both sides
# named: sides_alike
import torch


def depends_on_distance_only(turn_query, turn_key, length, head_dim):
    q = torch.randn(head_dim).expand(length, -1)
    k = torch.randn(head_dim).expand(length, -1)
    s = turn_query(q) @ turn_key(k).T
    return torch.allclose(s[1:, 1:], s[:-1, :-1], atol=1e-3) and torch.allclose(s, s.T, atol=1e-3)
