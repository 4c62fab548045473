# wrong: forgets the biases of all maps
# named: no_biases


def gpt2_parameters(vocab_size, max_len, d_model, num_layers):
    d = d_model
    return [vocab_size * d, max_len * d, num_layers * (12 * d * d + 4 * d), 2 * d]
