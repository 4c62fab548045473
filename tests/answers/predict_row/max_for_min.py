# wrong: max where min is meant
# named: max_for_min


def predict_row(head_counts, num_pointers, vocab_size):
    row = []
    for h in head_counts:
        f = max(h, num_pointers)
        row.append((f + (num_pointers - f) / vocab_size) / num_pointers)
    return row
