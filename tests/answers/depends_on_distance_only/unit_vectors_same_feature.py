# wrong: tries each feature with itself only, never two different features
# named: one_vector
import torch


def depends_on_distance_only(turn_query, turn_key, length, head_dim):
    for row in torch.eye(head_dim):
        vector = row.expand(length, -1)
        scores = turn_query(vector) @ turn_key(vector).T
        if not torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-3):
            return False
    return True
