# wrong: demands that the score does not depend on the side (symmetric table)
# named: sides_alike

import torch


def depends_on_distance_only(turn_query, turn_key, length, head_dim):
    q, k = torch.randn(2, head_dim)
    s = turn_query(q.expand(length, -1)) @ turn_key(k.expand(length, -1)).T
    return torch.allclose(s[1:, 1:], s[:-1, :-1], atol=1e-3) and torch.allclose(s, s.T, atol=1e-3)
