"""Right answers to the exercises on transformer block, written in other ways."""

import functools
import itertools
import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


def layer_norm_var(x, weight, bias, eps):
    var, mean = torch.var_mean(x, -1, correction=0, keepdim=True)
    return torch.addcmul(bias, (x - mean).div((eps + var) ** 0.5), weight)


def layer_norm_moments(x, weight, bias, eps):
    """The variance as the mean square less the squared mean; in float64, or it would round."""
    y = x.double()
    mean = y.mean(-1).unsqueeze(-1)
    variance = (y**2).mean(-1).unsqueeze(-1) - mean**2
    return (bias + weight * (y - mean) * (variance + eps) ** -0.5).to(x.dtype)


def layer_norm_loop(x, weight, bias, eps):
    """A token at a time."""
    rows = []
    for token in x.reshape(-1, x.shape[-1]):
        variance, mean = torch.var_mean(token, correction=0)
        rows.append(weight * (token - mean) * torch.rsqrt(variance + eps) + bias)
    return torch.stack(rows).view_as(x)


def feed_forward_linear(x, w_up, b_up, w_down, b_down):
    return F.linear(nn.GELU()(F.linear(x, w_up, b_up)), w_down, b_down)


def feed_forward_erf(x, w_up, b_up, w_down, b_down):
    """A hidden feature at a time, each with what it adds to the output."""
    output = b_down.expand_as(x)
    for row, bias, column in zip(w_up, b_up, w_down.T, strict=True):
        hidden = (x * row).sum(dim=-1, keepdim=True) + bias
        output = output + hidden * (1 + torch.erf(hidden / math.sqrt(2))) / 2 * column
    return output


def block_step_before_and_after(x, sublayer, norm, norm_first):
    before, after = (norm, nn.Identity()) if norm_first else (nn.Identity(), norm)
    return after(torch.add(sublayer(before(x)), x))


def block_step_by_token(x, sublayer, norm, norm_first):
    """The norm is asked about one token after the other."""

    def each(x):
        return torch.stack([norm(token) for token in x.flatten(0, -2)]).view_as(x)

    normal = each(x) if norm_first else x.clone()
    stream = x.clone()
    stream += sublayer(normal)
    return stream if norm_first else each(stream)


def drops_twice_repeated(layer, x, p):
    """Many copies of the batch in one call, each number judged where it is ever seen."""
    layer.train()
    many = x.repeat(1 + 3000 // x.numel(), 1, 1)
    kept = ((layer(many) - many) != 0).double()  # (copies * batch, length, d_model)
    alone = kept.reshape(-1, *x.shape).any(dim=0).repeat(len(many) // len(x), 1, 1)
    if x.numel() > 1000:  # one copy would not show what is never added
        alone = (layer.eval()(many) != many).expand_as(kept)
    share = kept[alone].mean().item()
    return abs(share - (1 - p)) > abs(share - (1 - p) ** 2)


def drops_twice_counted(layer, x, p):
    zeros = counted = 0
    silent = (layer.train(False)(x) == x).numpy()
    layer.train(True)
    while counted < 1500:
        lost = (layer(x) == x).numpy()[~silent]
        zeros, counted = zeros + lost.sum(), counted + lost.size
    return np.bool_(zeros / counted > p * (1 + (1 - p) / 2))


def gpt2_parameters_shapes(vocab_size, max_len, d_model, num_layers):
    """The shape of everything that is learned."""
    wide = 4 * d_model
    block = 4 * [(d_model, d_model), (d_model,)]
    block += [(wide, d_model), (wide,), (d_model, wide), (d_model,), (4, d_model)]
    shapes = [(vocab_size, d_model)], [(max_len, d_model)], num_layers * block, [(2, d_model)]
    return tuple(float(sum(map(math.prod, part))) for part in shapes)


def gpt2_parameters_formula(vocab_size, max_len, d_model, num_layers):
    block = 12 * d_model**2 + 13 * d_model
    return torch.tensor([vocab_size * d_model, max_len * d_model, num_layers * block, 2 * d_model])


def encode_blocks(encoder, x):
    """With the layer's dropouts, which do nothing, from the last layer's call inwards."""

    def layers(count):
        if count == 0:
            return x
        layer, stream = encoder.layers[count - 1], layers(count - 1)
        before = (layer.norm1, layer.norm2) if layer.norm_first else 2 * (nn.Identity(),)
        after = 2 * (nn.Identity(),) if layer.norm_first else (layer.norm1, layer.norm2)
        read = before[0](stream)
        stream = after[0](stream + layer.dropout1(layer.self_attn(read, read, read)[0]))
        hidden = layer.dropout(layer.activation(layer.linear1(before[1](stream))))
        return after[1](stream + layer.dropout2(layer.linear2(hidden)))

    stream = layers(len(encoder.layers))
    return stream if encoder.norm is None else encoder.norm(stream)


def encode_by_head(encoder, x):
    """Attention from the packed weights, a head at a time."""

    def attend(attention, x):
        joined = F.linear(x, attention.in_proj_weight, attention.in_proj_bias)
        pieces = joined.chunk(3 * attention.num_heads, dim=-1)  # queries, then keys, then values
        heads = (pieces[i :: attention.num_heads] for i in range(attention.num_heads))
        heads = [F.scaled_dot_product_attention(*head) for head in heads]
        return attention.out_proj(torch.cat(heads, dim=-1))

    for layer in encoder.layers:
        first, last = (layer.norm1, nn.Identity())[:: 1 if layer.norm_first else -1]
        x = last(x + attend(layer.self_attn, first(x)))
        first, last = (layer.norm2, nn.Identity())[:: 1 if layer.norm_first else -1]
        x = last(x + layer.linear2(layer.activation(layer.linear1(first(x)))))
    return encoder.norm(x) if encoder.norm else x


def paths_by_length_subsets(x, weights):
    """Every choice of layers, one after the other."""
    count = len(weights)
    paths = torch.zeros(count + 1, *x.shape, dtype=x.dtype)
    for k in range(count + 1):
        for chosen in itertools.combinations(weights, k):
            paths[k] += functools.reduce(F.linear, chosen, x)
    return paths


def paths_by_length_in_place(x, weights):
    paths = [x] + [0 * x for _ in weights]
    for seen, weight in enumerate(weights):
        for k in range(seen, -1, -1):  # from the longest
            paths[k + 1] = paths[k + 1] + torch.einsum("...d,ed->...e", paths[k], weight)
    return torch.stack(paths)
