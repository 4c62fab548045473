# wrong: rounds to two digits


def predict_row(head_counts, num_pointers, vocab_size):
    fetched = [min(h, num_pointers) for h in head_counts]
    return [round((f + (num_pointers - f) / vocab_size) / num_pointers, 2) for f in fetched]
