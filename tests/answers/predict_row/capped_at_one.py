# wrong: caps the share at 1, but counts guesses of too many heads before
# named: guess_on_top


def predict_row(head_counts, num_pointers, vocab_size):
    return [min(1.0, h / num_pointers + 1 / vocab_size) for h in head_counts]
