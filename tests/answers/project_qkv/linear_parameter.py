# wrong: wraps the weights in new nn.Parameters, so that no gradient reaches the given ones
# named: cut_off
from torch import nn


def project_qkv(x, w_query, w_key, w_value):
    outs = []
    for w in (w_query, w_key, w_value):
        layer = nn.Linear(w.shape[1], w.shape[0], bias=False)
        layer.weight = nn.Parameter(w)
        outs.append(layer(x))
    return tuple(outs)
