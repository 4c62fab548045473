# right

import numpy as np


def attend_by_hand(query, keys, values):
    scores = np.asarray(keys, dtype=float) @ np.asarray(query, dtype=float)
    e = np.exp(scores - scores.max())
    weights = e / e.sum()
    return weights @ np.asarray(values, dtype=float), weights
