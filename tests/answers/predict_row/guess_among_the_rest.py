# wrong: guesses among the symbols that no head has fetched
# named: guess_among_the_rest


def predict_row(head_counts, num_pointers, vocab_size):
    row = []
    for h in head_counts:
        f = min(h, num_pointers)
        rest = max(vocab_size - f, 1)
        row.append((f + (num_pointers - f) / rest) / num_pointers)
    return row
