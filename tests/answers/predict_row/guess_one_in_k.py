# wrong: a guess is right once in num_pointers instead of once in vocab_size
# named: guess_among_pointers


def predict_row(head_counts, num_pointers, vocab_size):
    row = []
    for h in head_counts:
        fetched = min(h, num_pointers)
        row.append((fetched + (num_pointers - fetched) / num_pointers) / num_pointers)
    return row
