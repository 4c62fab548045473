# wrong: shifts the table in a circle, so that its last row meets its first
import torch


def depends_on_distance_only(turn_query, turn_key, length, head_dim):
    q = torch.randn(head_dim).expand(length, -1)
    k = torch.randn(head_dim).expand(length, -1)
    s = turn_query(q) @ turn_key(k).T
    return torch.allclose(s, s.roll((1, 1), dims=(0, 1)), atol=1e-3)
