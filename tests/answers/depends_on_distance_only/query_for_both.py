# wrong: places the key with turn_query
# named: keys_forgotten
import torch


def depends_on_distance_only(turn_query, turn_key, length, head_dim):
    for _ in range(5):
        q = torch.randn(head_dim).expand(length, -1)
        k = torch.randn(head_dim).expand(length, -1)
        s = turn_query(q) @ turn_query(k).T
        if not torch.allclose(s[1:, 1:], s[:-1, :-1], atol=1e-3):
            return False
    return True
