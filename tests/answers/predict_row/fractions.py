# right
from fractions import Fraction


def predict_row(head_counts, num_pointers, vocab_size):
    share = lambda h: Fraction(
        sum(1 if j < h else Fraction(1, vocab_size) for j in range(num_pointers)), num_pointers
    )
    return [float(share(h)) for h in head_counts]
