# wrong: treats the left-over symbols as guessed together, (1/V) ** left, and counts 'all right'
# named: all_or_nothing


def predict_row(head_counts, num_pointers, vocab_size):
    return [(1 / vocab_size) ** max(0, num_pointers - h) for h in head_counts]
