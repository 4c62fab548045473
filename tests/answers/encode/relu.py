# wrong: always uses relu, not the layer's activation
# named: always_relu

import torch


def encode(encoder, x):
    for L in encoder.layers:
        ffn = lambda t: L.linear2(torch.relu(L.linear1(t)))
        if L.norm_first:
            h = L.norm1(x)
            x = x + L.self_attn(h, h, h)[0]
            x = x + ffn(L.norm2(x))
        else:
            x = L.norm1(x + L.self_attn(x, x, x)[0])
            x = L.norm2(x + ffn(x))
    return x if encoder.norm is None else encoder.norm(x)
