# right

from fractions import Fraction


def predict_row(head_counts, num_pointers, vocab_size):
    row = []
    for heads in head_counts:
        left = max(num_pointers - heads, 0)
        lost = Fraction(left, num_pointers) * Fraction(vocab_size - 1, vocab_size)
        row.append(float(1 - lost))
    return row
