# wrong: predicts for 1 up to the largest count instead of for the given ones


def predict_row(head_counts, num_pointers, vocab_size):
    fetched = [min(h, num_pointers) for h in range(1, max(head_counts) + 1)]
    return [(f + (num_pointers - f) / vocab_size) / num_pointers for f in fetched]
