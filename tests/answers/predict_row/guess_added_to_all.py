# wrong: adds 1 / vocab_size to every share, whether anything is left to guess or not
# named: guess_on_top


def predict_row(head_counts, num_pointers, vocab_size):
    return [min(h, num_pointers) / num_pointers + 1 / vocab_size for h in head_counts]
