# wrong: the number of right symbols, not divided by k
# named: not_divided


def predict_row(head_counts, num_pointers, vocab_size):
    fetched = [min(h, num_pointers) for h in head_counts]
    return [f + (num_pointers - f) / vocab_size for f in fetched]
