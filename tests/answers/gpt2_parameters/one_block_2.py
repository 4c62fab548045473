# wrong: counts one block only
# named: one_block


def gpt2_parameters(vocab_size, max_len, d_model, num_layers):
    d = d_model
    block = 4 * (d * d + d) + (4 * d * d + 4 * d) + (4 * d * d + d) + 4 * d
    return [vocab_size * d, max_len * d, block, 2 * d]
