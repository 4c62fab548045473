# wrong: zeros as query and key
# named: zeros
import torch


def depends_on_distance_only(turn_query, turn_key, length, head_dim):
    zeros = torch.zeros(length, head_dim)
    scores = turn_query(zeros) @ turn_key(zeros).T
    return torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-3)
