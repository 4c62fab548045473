# wrong: repeats one number over the features, another one at each place
import torch


def depends_on_distance_only(turn_query, turn_key, length, head_dim):
    q = torch.randn(length, 1).expand(length, head_dim)
    k = torch.randn(length, 1).expand(length, head_dim)
    s = turn_query(q) @ turn_key(k).T
    return torch.allclose(s[1:, 1:], s[:-1, :-1], atol=1e-3)
