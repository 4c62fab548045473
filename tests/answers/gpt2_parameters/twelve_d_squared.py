# wrong: 12 d squared for a block
# named: matrices_only
def gpt2_parameters(vocab_size, max_len, d_model, num_layers):
    return [vocab_size * d_model, max_len * d_model, 12 * num_layers * d_model**2, 2 * d_model]
