# wrong: returns a dictionary from head count to accuracy instead of a list
# named: dictionary


def predict_row(head_counts, num_pointers, vocab_size):
    return {
        h: (min(h, num_pointers) + max(num_pointers - h, 0) / vocab_size) / num_pointers
        for h in head_counts
    }
