# wrong: sorts the head counts first
# named: head_counts_sorted


def predict_row(head_counts, num_pointers, vocab_size):
    row = []
    for h in sorted(head_counts):
        f = min(h, num_pointers)
        row.append((f + (num_pointers - f) / vocab_size) / num_pointers)
    return row
