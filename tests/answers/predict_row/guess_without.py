# wrong: guesses among vocab_size minus the fetched symbols, not among all
# named: guess_among_the_rest


def predict_row(head_counts, num_pointers, vocab_size):
    out = []
    for h in head_counts:
        f = min(h, num_pointers)
        out.append((f + (num_pointers - f) / max(1, vocab_size - f)) / num_pointers)
    return out
