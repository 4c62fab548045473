# wrong: makes new nn.Linear layers with random weights and ignores the given ones
# named: varies

from torch import nn


def project_qkv(x, w_query, w_key, w_value):
    head_dim, d_model = w_query.shape
    layers = [nn.Linear(d_model, head_dim, bias=False) for _ in range(3)]
    return tuple(layer(x) for layer in layers)
