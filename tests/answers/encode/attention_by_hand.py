# right
import torch.nn.functional as F


def attend(mha, x):
    q, k, v = F.linear(x, mha.in_proj_weight, mha.in_proj_bias).chunk(3, dim=-1)
    b, n, d = x.shape
    q, k, v = (t.view(b, n, mha.num_heads, -1).transpose(1, 2) for t in (q, k, v))
    out = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(b, n, d)
    return mha.out_proj(out)


def encode(encoder, x):
    for layer in encoder.layers:
        if layer.norm_first:
            x = x + attend(layer.self_attn, layer.norm1(x))
            x = x + layer.linear2(layer.activation(layer.linear1(layer.norm2(x))))
        else:
            x = layer.norm1(x + attend(layer.self_attn, x))
            x = layer.norm2(x + layer.linear2(layer.activation(layer.linear1(x))))
    return encoder.norm(x) if encoder.norm else x
