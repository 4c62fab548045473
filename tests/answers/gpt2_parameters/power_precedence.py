# wrong: squares num_layers along with d_model


def gpt2_parameters(vocab_size, max_len, d_model, num_layers):
    d = d_model
    blocks = 12 * (num_layers * d) ** 2 + 13 * num_layers * d
    return [vocab_size * d, max_len * d, blocks, 2 * d]
