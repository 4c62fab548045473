# wrong: compares only the pairs of distance 0
# named: distance_0_only
import torch


def depends_on_distance_only(turn_query, turn_key, length, head_dim):
    q = torch.randn(head_dim).expand(length, -1)
    k = torch.randn(head_dim).expand(length, -1)
    d = (turn_query(q) @ turn_key(k).T).diagonal()
    return torch.allclose(d, d[:1].expand_as(d), atol=1e-3)
