# wrong: returns a dictionary from head count to share
# named: dictionary


def predict_row(head_counts, num_pointers, vocab_size):
    row = {}
    for h in head_counts:
        f = min(h, num_pointers)
        row[h] = (f + (num_pointers - f) / vocab_size) / num_pointers
    return row
