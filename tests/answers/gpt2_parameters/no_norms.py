# wrong: the norms of a block left out
# named: four_too_few
def gpt2_parameters(vocab_size, max_len, d_model, num_layers):
    attention = 4 * (d_model * d_model + d_model)
    ffn = 8 * d_model * d_model + 5 * d_model
    norms = 0
    block = attention + ffn + norms
    return [vocab_size * d_model, max_len * d_model, num_layers * block, 2 * d_model]
