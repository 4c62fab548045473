# wrong: does not cap the fetched symbols at the number of pointers
# named: more_than_all


def predict_row(head_counts, num_pointers, vocab_size):
    return [(h + (num_pointers - h) / vocab_size) / num_pointers for h in head_counts]
