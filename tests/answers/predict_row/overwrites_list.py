# wrong: writes the results over the caller's list of head counts
# named: changes_input


def predict_row(head_counts, num_pointers, vocab_size):
    for i, h in enumerate(head_counts):
        f = min(h, num_pointers)
        head_counts[i] = (f + (num_pointers - f) / vocab_size) / num_pointers
    return head_counts
