# wrong: counts one lucky guess for all leftover symbols together
# named: one_guess


def predict_row(head_counts, num_pointers, vocab_size):
    row = []
    for h in head_counts:
        f = min(h, num_pointers)
        guess = 1 / vocab_size if f < num_pointers else 0
        row.append((f + guess) / num_pointers)
    return row
