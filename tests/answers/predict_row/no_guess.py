# wrong: leaves out the lucky guesses
# named: no_guess


def predict_row(head_counts, num_pointers, vocab_size):
    return [min(h, num_pointers) / num_pointers for h in head_counts]
