# wrong: an FFN with its first map only, and its bias
# named: one_way_ffn
def gpt2_parameters(vocab_size, max_len, d_model, num_layers):
    attention = 4 * (d_model * d_model + d_model)
    ffn = 4 * d_model**2 + 4 * d_model
    norms = 4 * d_model
    block = attention + ffn + norms
    return [vocab_size * d_model, max_len * d_model, num_layers * block, 2 * d_model]
