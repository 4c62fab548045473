# wrong: a head that finds nothing left guesses too, so guesses count for the spare heads
# named: spare_heads_guess


def predict_row(head_counts, num_pointers, vocab_size):
    row = []
    for h in head_counts:
        f = min(h, num_pointers)
        row.append((f + abs(h - num_pointers) / vocab_size) / num_pointers)
    return row
