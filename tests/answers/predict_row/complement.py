# right


def predict_row(head_counts, num_pointers, vocab_size):
    miss = 1 - 1 / vocab_size
    return [1 - miss * max(num_pointers - h, 0) / num_pointers for h in head_counts]
