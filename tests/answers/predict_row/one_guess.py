# wrong: counts one lucky guess, however many symbols are left over
# named: one_guess


def predict_row(head_counts, num_pointers, vocab_size):
    return [min(1.0, (min(h, num_pointers) + 1 / vocab_size) / num_pointers) for h in head_counts]
