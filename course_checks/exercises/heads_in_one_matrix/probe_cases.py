"""The layers on which the student's probes of lesson 04, exercise 3 are run.

Each maps (batch, seq_len, d_model) to the same shape. The attention computes in float64, where a
sum in another order gives the same float32; one layer is off by rounding, and always. So no
tolerance is right or wrong by luck.
"""

import torch
from torch import cumsum, float64, softmax, tanh
from torch.nn.functional import layer_norm, rms_norm

from course_checks.exercise import Case, randn

# A head of the second wrong view gets 2 1/2 tokens: hardly any order keeps these together.
BATCH, SEQ_LEN, NUM_HEADS, HEAD_DIM = 3, 10, 4, 2
D_MODEL = NUM_HEADS * HEAD_DIM
LOUD = 100.0


def _attention(split, combine, keep=lambda scores: scores):
    """Self-attention without matrices between ``split`` and ``combine(heads, shape of x)``."""

    def layer(x):
        heads = split(x.to(float64))
        scores = keep(heads @ heads.transpose(-2, -1) / heads.shape[-1] ** 0.5)
        return combine(softmax(scores, dim=-1) @ heads, x.shape).to(x.dtype)

    return layer


def _split(x):
    return x.reshape(*x.shape[:2], NUM_HEADS, HEAD_DIM).transpose(1, 2)


def _combine(heads, shape):
    return heads.transpose(1, 2).reshape(shape)


def _straight_back(heads, shape):
    return heads.reshape(shape)


def _earlier(scores):
    return scores.masked_fill(~torch.ones_like(scores).tril().bool(), -torch.inf)


def _later(scores):
    return scores.masked_fill(~torch.ones_like(scores).triu().bool(), -torch.inf)


def _positions(x):
    return torch.linspace(-1, 1, x.shape[1]).unsqueeze(-1) * torch.linspace(1, 2, x.shape[2])


def _time_first(x):
    return x.reshape(x.shape[1], -1, HEAD_DIM).transpose(0, 1)


def _nearly(x):
    """A function of each token alone, off by another 1e-7 at each place, as if by rounding."""
    outputs = tanh(x) / 1000
    return outputs + 1e-7 * torch.arange(outputs[..., 0].numel()).reshape(*x.shape[:2], 1)


def _beside(x):
    """What stands on the left and on the right of each token, in a circle."""
    return x.roll(1, dims=1) + x.roll(-1, dims=1)


def _mean_over(dim, share=1.0):
    return lambda x: x + share * x.to(float64).mean(dim=dim, keepdim=True).to(x.dtype)


def _only_where_first_feature_is_large(x):
    """The mean of the sentence, in sentences that begin with LOUD or so."""
    return x + x.mean(dim=1, keepdim=True) * _is_loud(x)


def _is_loud(x):
    return x[..., :1].amax(dim=1, keepdim=True) > LOUD / 2


# A name, the layer, and the right answers: equivariant, independent, connected.
LAYERS = {
    "attention with the right split": (_attention(_split, _combine), (True, True, True)),
    "attention without the transpose, view(batch, seq_len, num_heads, head_dim)": (
        _attention(lambda x: x.reshape(*x.shape[:2], NUM_HEADS, HEAD_DIM), _straight_back),
        (True, True, False),
    ),
    "attention after view(batch, num_heads, seq_len, head_dim)": (
        _attention(lambda x: x.reshape(len(x), NUM_HEADS, -1, HEAD_DIM), _straight_back),
        (False, True, True),
    ),
    "attention that takes the batch for the time, view(seq_len, batch * num_heads, head_dim)": (
        _attention(_time_first, lambda heads, shape: heads.transpose(0, 1).reshape(shape)),
        (False, False, True),
    ),
    "attention with a causal mask": (_attention(_split, _combine, _earlier), (False, True, True)),
    "attention to the later tokens only": (
        _attention(_split, _combine, _later),
        (False, True, True),
    ),
    "a layer that adds a position to each token": (
        lambda x: x + _positions(x),
        (False, True, False),
    ),
    "a function of each token alone, up to a rounding error": (_nearly, (True, True, False)),
    "a layer that adds the mean of the sentence to each token": (_mean_over(1), (True, True, True)),
    "a layer in which only the last token sees another one, its left neighbour": (
        lambda x: torch.cat([x[:, :-1], x[:, -1:] + x[:, -2:-1]], dim=1),
        (False, True, True),
    ),
    "a layer that adds to each token the two beside it, as if in a circle": (
        lambda x: x + _beside(x),
        (False, True, True),
    ),
    "a layer that adds the mean of all tokens of the batch": (
        _mean_over((0, 1)),
        (True, False, True),
    ),
    "a layer that adds to each token the mean over the batch at its place": (
        _mean_over(0),
        (True, False, False),
    ),
    "a layer that adds to each token the one before it of another sentence": (
        lambda x: x + x.roll((1, 1), dims=(0, 1)),
        (False, False, False),
    ),
    "a layer that adds up the sentences before each": (
        lambda x: cumsum(x, dim=0),
        (True, False, False),
    ),
    "a layer that adds up the sentences after each": (
        lambda x: cumsum(x.flip(0), dim=0).flip(0),
        (True, False, False),
    ),
    "attention behind a LayerNorm": (
        lambda x: _attention(_split, _combine)(layer_norm(x, x.shape[-1:], eps=1e-12)),
        (True, True, True),
    ),
    "attention behind an RMSNorm": (
        lambda x: _attention(_split, _combine)(rms_norm(x, x.shape[-1:], eps=1e-12)),
        (True, True, True),
    ),
    "a layer that adds the mean of the sentence's last feature": (
        lambda x: x + x[..., -1:].mean(dim=1, keepdim=True),
        (True, True, True),
    ),
    "a layer that adds 1% of a position to each token": (
        lambda x: x + 0.01 * _positions(x),
        (False, True, False),
    ),
    "a layer that adds 1% of the mean of the sentence": (_mean_over(1, 0.01), (True, True, True)),
    "a layer that adds 1% of the mean of all tokens of the batch": (
        _mean_over((0, 1), 0.01),
        (True, False, True),
    ),
    "a layer that adds a position to each token if one of its first features is large": (
        lambda x: x + _positions(x) * _is_loud(x),
        (False, True, False),
    ),
    "a layer that adds a tenth of the number of sentences": (
        lambda x: x + len(x) / 10,
        (True, False, False),
    ),
    "a layer that adds the mean of the sentence if one of its first features is large": (
        _only_where_first_feature_is_large,
        (True, True, True),
    ),
}


def cases(words):
    """The layers whose names hold one of ``words``, such as "causal, later"."""

    def make(generator):
        for name, (layer, expected) in LAYERS.items():
            if any(word in name for word in words.split(", ")):
                x = randn(generator, BATCH, SEQ_LEN, D_MODEL)
                if name.endswith("is large"):
                    x[-1, :, 0] += LOUD  # in the last sentence it is, in the others it is not
                yield Case((layer, x), expected, name)

    return make
