# right
def gpt2_parameters(vocab_size, max_len, d_model, num_layers):
    d = d_model
    c_attn, c_proj = d * 3 * d + 3 * d, d * d + d
    mlp = d * 4 * d + 4 * d + 4 * d * d + d
    return (vocab_size * d, max_len * d, num_layers * (c_attn + c_proj + mlp + 4 * d), 2 * d)
