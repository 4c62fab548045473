# right

import numpy as np


def predict_row(head_counts, num_pointers, vocab_size):
    share = np.minimum(np.array(head_counts), num_pointers) / num_pointers
    return (share + (1 - share) / vocab_size).tolist()
