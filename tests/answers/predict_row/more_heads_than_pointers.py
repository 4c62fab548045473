# wrong: does not stop at the number of pointers, so the share goes above 1
# named: more_than_all


def predict_row(head_counts, num_pointers, vocab_size):
    return [(h + (num_pointers - h) / vocab_size) / num_pointers for h in head_counts]
