# wrong: uses relu instead of the layer's activation
# named: always_relu
import torch.nn.functional as F


def encode(encoder, x):
    for l in encoder.layers:
        ffn = lambda y: l.linear2(F.relu(l.linear1(y)))
        if l.norm_first:
            n = l.norm1(x)
            x = x + l.self_attn(n, n, n)[0]
            x = x + ffn(l.norm2(x))
        else:
            x = l.norm1(x + l.self_attn(x, x, x)[0])
            x = l.norm2(x + ffn(x))
    return x if encoder.norm is None else encoder.norm(x)
