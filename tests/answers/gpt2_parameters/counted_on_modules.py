# right
from torch import nn


def gpt2_parameters(vocab_size, max_len, d_model, num_layers):
    with __import__("torch").device("meta"):
        layer = nn.TransformerEncoderLayer(d_model, 1, 4 * d_model)
    block = sum(p.numel() for p in layer.parameters())
    return [vocab_size * d_model, max_len * d_model, num_layers * block, 2 * d_model]
