# wrong: h / k, with neither guesses nor a border
# named: heads_over_pointers


def predict_row(head_counts, num_pointers, vocab_size):
    return [h / num_pointers for h in head_counts]
