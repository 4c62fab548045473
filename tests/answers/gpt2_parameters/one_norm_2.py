# wrong: one LayerNorm for each block instead of two
# named: two_too_few


def gpt2_parameters(vocab_size, max_len, d_model, num_layers):
    d, ff = d_model, 4 * d_model
    block = 4 * (d * d + d) + d * ff + ff + ff * d + d + 2 * d
    return [vocab_size * d, max_len * d, num_layers * block, 2 * d]
