# right
import numpy as np
import torch


def depends_on_distance_only(turn_query, turn_key, length, head_dim):
    random = np.random.default_rng(0)
    for _ in range(4):
        q, k = random.normal(size=(2, 1, head_dim)).astype("float32").repeat(length, axis=1)
        query, key = turn_query(torch.from_numpy(q)).numpy(), turn_key(torch.from_numpy(k)).numpy()
        scores = query.astype("float64") @ key.T
        if not np.allclose(scores[1:, 1:], scores[:-1, :-1], rtol=1e-5, atol=1e-3):
            return False
    return True
