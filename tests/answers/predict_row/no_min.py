# wrong: more heads than pointers give an accuracy above 1 (no minimum)
# named: more_than_all


def predict_row(head_counts, num_pointers, vocab_size):
    k = num_pointers
    return [(h + (k - h) / vocab_size) / k for h in head_counts]
