# wrong: gives the bias of the map up d_model numbers instead of 4 d_model
# named: three_too_few


def gpt2_parameters(vocab_size, max_len, d_model, num_layers):
    d = d_model
    block = 4 * (d * d + d) + (4 * d * d + d) + (4 * d * d + d) + 4 * d
    return [vocab_size * d, max_len * d, num_layers * block, 2 * d]
