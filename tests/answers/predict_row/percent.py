# wrong: returns percent
# named: percent


def predict_row(head_counts, num_pointers, vocab_size):
    fetched = [min(h, num_pointers) for h in head_counts]
    return [100 * (f + (num_pointers - f) / vocab_size) / num_pointers for f in fetched]
