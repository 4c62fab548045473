# wrong: looks at the first five places only
import torch


def depends_on_distance_only(turn_query, turn_key, length, head_dim):
    n = 5
    q = torch.randn(head_dim).expand(n, -1)
    k = torch.randn(head_dim).expand(n, -1)
    s = turn_query(q) @ turn_key(k).T
    return torch.allclose(s[1:, 1:], s[:-1, :-1], atol=1e-3)
