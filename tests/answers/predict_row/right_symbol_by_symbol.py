# right


def predict_row(head_counts, num_pointers, vocab_size):
    def chance(symbol, heads):
        return 1.0 if symbol < heads else 1 / vocab_size

    return [
        sum(chance(s, heads) for s in range(num_pointers)) / num_pointers for heads in head_counts
    ]
