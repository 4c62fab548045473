# wrong: returns a NumPy array
import numpy as np


def causal_mask(query_len, key_len):
    return np.tri(query_len, key_len, key_len - query_len, dtype=bool)
