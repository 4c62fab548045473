"""The layers on which the student's test of lesson 05, exercise 2 is run.

Each maps (seq_len, d_model) to the same shape, and can be differentiated. The causal ones compute
in float64, where what is masked changes no bit; two are off by rounding, and always. So no
tolerance is right or wrong by luck.
"""

import torch
from torch import cumsum, float64, softmax, tanh
from torch.nn.functional import layer_norm

from course_checks.exercise import Case, randn

SEQ_LEN, D_MODEL, BLOCK = 9, 6, 4  # the last token is alone in its block


def _causal(length):
    return torch.ones(length, length, dtype=torch.bool, device="cpu").tril()  # True = may attend


def _everything(length):
    return torch.ones(length, length, dtype=torch.bool, device="cpu")


def _with_last(length):
    allowed = _causal(length)
    allowed[:, -1] = True
    return allowed


def _within_blocks(length):
    block = torch.arange(length, device="cpu") // BLOCK
    return _causal(length) | (block[:, None] == block)


def _first_sees_nothing(length):
    allowed = _everything(length)
    allowed[:1] = False
    return allowed


def _one_pair(query, key):
    def allowed(length):
        mask = _causal(length)
        mask[query : query + 1, key : key + 1] = True
        return mask

    return allowed


def _attention(generator, allowed_of):
    """Self-attention with one random matrix, so that it takes only inputs of d_model features."""
    weight = randn(generator, D_MODEL, D_MODEL).to(float64) / (2 * D_MODEL)

    def layer(x):
        double = x.to(float64)
        scores = double @ weight @ double.transpose(-2, -1)
        scores = scores.masked_fill(~allowed_of(len(x)), -torch.inf)
        return (softmax(scores, dim=-1) @ double).to(x.dtype)

    return layer


def _with_last_feature(x):
    return x + x[:, -1:].mean(dim=0, keepdim=True)


def _normalised(x):
    return layer_norm(x, x.shape[-1:], eps=1e-12)


def _rounded(outputs):
    """``outputs(x)``, off by 1e-7 or not, as all tokens together will have it."""

    def layer(x):
        odd = (1000 * x.to(float64).sum(dim=0)).round() % 2  # (d_model,)
        return (outputs(x.to(float64)) + 1.5e-7 * odd).to(x.dtype)

    return layer


def _shifted(x):
    """Each position gets the token before it, and the first one zeros."""
    return torch.cat([torch.zeros_like(x[:1]), x[:-1]])


def _case(generator, label, layer, expected=True, x=None):
    return Case((layer, randn(generator, SEQ_LEN, D_MODEL) if x is None else x), expected, label)


def _right(generator):
    layers = {
        "a function of each token alone": lambda x: tanh(2 * x - 1),
        "self-attention with a causal mask": _attention(generator, _causal),
    }
    return [_case(generator, words, layer, False) for words, layer in layers.items()]


def no_mask(generator):
    causal = {
        "a running sum over the tokens": lambda x: cumsum(x, dim=0),
        "a layer that hands each position the token before it": _shifted,
        "a layer that hands every position the first token": lambda x: x[:1].expand(x.shape),
        "a layer that hands the last position the mean of all tokens, the others zeros": lambda x: (
            torch.cat([torch.zeros_like(x[:-1]), x.mean(dim=0, keepdim=True)])
        ),
    }
    anti_causal = _attention(generator, lambda length: _causal(length).T)
    return [
        *_right(generator),
        *(_case(generator, words, layer, False) for words, layer in causal.items()),
        _case(generator, "self-attention without a mask", _attention(generator, _everything)),
        _case(generator, "self-attention that sees itself and the later tokens", anti_causal),
    ]


def some_tokens(generator):
    masks = {
        "self-attention that also sees the next token": lambda length: _everything(length).tril(
            diagonal=1
        ),
        "self-attention that also sees the token two ahead": lambda length: (
            _causal(length) | (_everything(length).triu(2) & _everything(length).tril(2))
        ),
        "self-attention that also sees the last token": _with_last,
        f"self-attention that also sees the rest of its block of {BLOCK} tokens": _within_blocks,
        "self-attention in which token 2 also sees token 5, and that is all": _one_pair(2, 5),
        "self-attention in which token 0 also sees token 1, and that is all": _one_pair(0, 1),
    }
    first, second = _attention(generator, _causal), _attention(generator, _everything)
    half = D_MODEL // 2  # of the output's features for each head
    heads = lambda x: torch.cat([first(x)[:, :half], second(x)[:, half:]], dim=-1)  # noqa: E731
    return [
        *_right(generator),
        *(_case(generator, words, _attention(generator, mask)) for words, mask in masks.items()),
        _case(generator, "self-attention with two heads, one without a mask", heads),
    ]


def hidden(generator):
    """A leak that is small, or stands next to NaN, or that some changes do not show."""
    causal, full = _attention(generator, _causal), _attention(generator, _everything)
    behind = lambda x: full(_normalised(x))  # noqa: E731
    zeros = torch.zeros(SEQ_LEN, D_MODEL, device="cpu")
    alike = randn(generator, 1, D_MODEL).expand(SEQ_LEN, D_MODEL).clone()
    small = "a causal layer with 1% of the mean of all tokens in its output"
    squares = "a causal layer that adds the mean of all squares"
    near_10 = "a layer with outputs near 10 that leaks a little"
    words = "self-attention without a mask"
    nan = "self-attention in which token 0 sees nothing (its output is NaN) and the others all"
    return [
        *_right(generator),
        _case(generator, small, lambda x: 0.99 * causal(x) + 0.01 * x.mean(dim=0, keepdim=True)),
        _case(generator, nan, _attention(generator, _first_sees_nothing)),
        _case(generator, f"{words}, behind a LayerNorm", behind),
        _case(generator, f"{words}, followed by a LayerNorm", lambda x: _normalised(full(x))),
        _case(generator, f"{words} and an x of zeros", full, x=zeros),
        _case(generator, f"{words} behind a LayerNorm, and an x of zeros", behind, x=zeros),
        _case(generator, squares, lambda x: causal(x) + (x**2).mean(dim=0, keepdim=True)),
        _case(generator, near_10, lambda x: 10 + (causal(x) + x.mean(dim=0, keepdim=True)) / 10),
        _case(generator, "a layer that adds the mean of the last feature", _with_last_feature),
        _case(generator, f"{words} and an x of nine equal tokens", full, x=alike),
    ]


def rounding(generator):
    near_half, near_zero = (lambda x: 0.5 + tanh(x) / 10), (lambda x: tanh(x) / 1000)
    words = "a function of each token alone, up to a rounding error, with outputs near"
    return [
        _case(generator, f"{words} 0.5", _rounded(near_half), False),
        _case(generator, f"{words} 0", _rounded(near_zero), False),
        *_right(generator),
        _case(generator, "self-attention without a mask", _attention(generator, _everything)),
    ]
