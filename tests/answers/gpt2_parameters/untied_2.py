# wrong: counts the map to the vocabulary a second time in the last entry
# named: head_counted_again


def gpt2_parameters(vocab_size, max_len, d_model, num_layers):
    d = d_model
    block = 12 * d * d + 13 * d
    return [vocab_size * d, max_len * d, block * num_layers, 2 * d + vocab_size * d]
