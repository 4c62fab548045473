# wrong: no biases at all
# named: no_biases
def gpt2_parameters(vocab_size, max_len, d_model, num_layers):
    attention = 4 * d_model**2
    ffn = 8 * d_model**2
    norms = 4 * d_model
    block = attention + ffn + norms
    return [vocab_size * d_model, max_len * d_model, num_layers * block, 2 * d_model]
