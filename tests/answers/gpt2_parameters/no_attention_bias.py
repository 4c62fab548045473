# wrong: the four attention maps are counted without biases
# named: four_too_few


def gpt2_parameters(vocab_size, max_len, d_model, num_layers):
    d = d_model
    block = 4 * d * d + 8 * d * d + 5 * d + 4 * d
    return [vocab_size * d, max_len * d, num_layers * block, 2 * d]
