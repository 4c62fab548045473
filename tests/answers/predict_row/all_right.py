# wrong: gives the probability that all symbols are right
# named: all_or_nothing


def predict_row(head_counts, num_pointers, vocab_size):
    return [(1 / vocab_size) ** max(num_pointers - h, 0) for h in head_counts]
