# right
import torch


def depends_on_distance_only(turn_query, turn_key, length, head_dim):
    eye = torch.eye(head_dim)[:, None].expand(head_dim, length, head_dim)
    queries = torch.stack([turn_query(row) for row in eye])
    keys = torch.stack([turn_key(row) for row in eye])
    scores = torch.einsum("apd,bqd->abpq", queries, keys)
    kept = torch.allclose(scores[..., 1:, 1:], scores[..., :-1, :-1], atol=1e-3)
    if not kept:
        return False
    for _ in range(5):
        q, k = torch.randn(2, head_dim)
        table = turn_query(q.expand(length, -1)) @ turn_key(k.expand(length, -1)).T
        if not torch.allclose(table[1:, 1:], table[:-1, :-1], atol=1e-3):
            return False
    return True
