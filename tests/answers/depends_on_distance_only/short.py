# wrong: looks at the first 8 places only, not at all below length
# named: too_short

import torch


def depends_on_distance_only(turn_query, turn_key, length, head_dim):
    q, k = torch.randn(2, head_dim)
    s = turn_query(q.expand(length, -1)) @ turn_key(k.expand(length, -1)).T
    s = s[:8, :8]
    return torch.allclose(s[1:, 1:], s[:-1, :-1], atol=1e-3)
