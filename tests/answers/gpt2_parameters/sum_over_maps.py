# right
def gpt2_parameters(vocab_size, max_len, d_model, num_layers):
    def linear(a, b):
        return a * b + b

    block = 4 * linear(d_model, d_model) + linear(d_model, 4 * d_model)
    block += linear(4 * d_model, d_model) + 2 * (d_model + d_model)
    return [vocab_size * d_model, max_len * d_model, block * num_layers, d_model + d_model]
