# wrong: counts the token table twice
# named: untied


def gpt2_parameters(vocab_size, max_len, d_model, num_layers):
    d = d_model
    block = 12 * d * d + 13 * d
    return [2 * vocab_size * d, max_len * d, num_layers * block, 2 * d]
