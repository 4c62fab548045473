# wrong: cuts the caller's list of head counts
# named: changes_input


def predict_row(head_counts, num_pointers, vocab_size):
    for i in range(len(head_counts)):
        head_counts[i] = min(head_counts[i], num_pointers)
    return [(f + (num_pointers - f) / vocab_size) / num_pointers for f in head_counts]
