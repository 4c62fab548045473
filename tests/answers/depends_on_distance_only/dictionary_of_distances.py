# right
import torch


def depends_on_distance_only(turn_query, turn_key, length, head_dim):
    q, k = torch.randn(2, head_dim)
    query, key = turn_query(q.repeat(length, 1)), turn_key(k.repeat(length, 1))
    scores = (query @ key.T).tolist()
    seen = {}
    for i in range(length):
        for j in range(length):
            first = seen.setdefault(i - j, scores[i][j])
            if not abs(first - scores[i][j]) < 2e-3:
                return False
    return True
