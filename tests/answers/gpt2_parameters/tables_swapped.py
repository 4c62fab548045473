# wrong: puts the position table before the token table
# named: tables_exchanged


def gpt2_parameters(vocab_size, max_len, d_model, num_layers):
    d = d_model
    return [max_len * d, vocab_size * d, num_layers * (12 * d * d + 13 * d), 2 * d]
