# right


def gpt2_parameters(vocab_size, max_len, d_model, num_layers):
    def map_(a, b):
        return b * (a + 1)

    norm = d_model + d_model
    block = (
        sum(map_(d_model, d_model) for _ in "qkvo")
        + map_(d_model, 4 * d_model)
        + map_(4 * d_model, d_model)
    )
    return [d_model * n for n in (vocab_size, max_len)] + [(block + norm + norm) * num_layers, norm]
