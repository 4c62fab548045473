# wrong: LayerNorms have a weight but no bias, in the blocks and at the end
# named: norms_without_bias


def gpt2_parameters(vocab_size, max_len, d_model, num_layers):
    d = d_model
    block = 12 * d * d + 9 * d + 2 * d
    return [vocab_size * d, max_len * d, num_layers * block, d]
