# wrong: divides with //, so that the guesses vanish
# named: whole_numbers


def predict_row(head_counts, num_pointers, vocab_size):
    out = []
    for h in head_counts:
        fetched = min(h, num_pointers)
        left = num_pointers - fetched
        out.append((fetched + left // vocab_size) / num_pointers)
    return out
