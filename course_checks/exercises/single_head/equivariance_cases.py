"""The layers on which the student's test of lesson 02, exercise 3 is run.

Each maps (seq_len, d_model) to the same shape. The equivariant ones compute in float64, where a sum
in another order gives the same float32; two of them are off by rounding, and always. So no
tolerance is right or wrong by luck.
"""

import torch
from torch import cumsum, float64, softmax, tanh

from course_checks.exercise import Case, randn

SEQ_LEN, D_MODEL = 12, 6  # 12! orders: a random one is never a shift, a swap or a reversal


def _attention(weight, keep=lambda scores: scores):
    """Self-attention with one random matrix, so that it takes only inputs of d_model features."""

    def layer(x):
        double = x.to(float64)
        scores = double @ weight.to(float64) @ double.transpose(-2, -1)
        return (softmax(keep(scores), dim=-1) @ double).to(x.dtype)

    return layer


def _causal(scores):
    allowed = torch.ones_like(scores).tril().bool()  # True = may attend
    return scores.masked_fill(~allowed, -torch.inf)


def _column(numbers, x):
    """One number per position, as a column that is added to every feature: (seq_len, 1)."""
    return torch.as_tensor(numbers, dtype=x.dtype).unsqueeze(-1)


def _positions(x):
    """A vector for each position, another number for each of its features: (seq_len, d_model)."""
    return _column(torch.linspace(-1, 1, len(x)), x) * torch.linspace(1, 2, x.shape[1])


def _three_alike(x):
    """Positions of which the first two and the last are alike: exchanging those shows nothing."""
    steps = torch.linspace(-1, 1, len(x))
    steps[[0, 1, -1]] = 2.0
    return x + _column(steps, x)


def _last_differ(x):
    """Positions that are alike but for the last five."""
    steps = torch.zeros(len(x))
    steps[-5:] = torch.linspace(1, 2, 5)
    return x + _column(steps, x)


def _small_positions(x):
    return x + 0.005 * _positions(x)


def _small_beside_ten(x):
    return 10 + tanh(x) + 0.005 * _positions(x)


def _only_in(feature):
    """A layer that adds positions to one feature, and treats no two features alike."""

    def layer(x):
        out = x * torch.linspace(1, 2, x.shape[1])
        out[:, feature] += _positions(x)[:, feature]
        return out

    return layer


def _halves_differ(x):
    """One number is added in the first half, another one in the second."""
    return x + (torch.arange(len(x)) < len(x) // 2).to(x)[:, None]


def _nearly(outputs):
    """``outputs(x)``, off by another 1e-7 at each position as if by rounding."""
    return lambda x: outputs(x) + _column([1e-7 * i for i in range(len(x))], x)


def _mean_everywhere(x):
    return x.to(float64).mean(dim=0, keepdim=True).to(x.dtype).expand(x.shape)


def _smoothed(x):
    """Each token plus half of both neighbours: reversing the tokens reverses the output."""
    out = x.clone()
    out[1:] += x[:-1] / 2
    out[:-1] += x[1:] / 2
    return out


def _both_neighbours(x):
    """Each token plus half of both neighbours in a circle: it follows a reversal and a shift."""
    return x + (x.roll(1, dims=0) + x.roll(-1, dims=0)) / 2


def _next_neighbour(x):
    """Each token plus its left neighbour, in a circle: shifting the tokens shifts the output."""
    return x + x.roll(1, dims=0)


class _AllButOneOrder:
    """Follows ``x`` and every order of its tokens, but not the first other order that comes."""

    def __init__(self, x):
        self._x, self._first = x, None

    def __call__(self, x):
        is_shuffled = x.shape != self._x.shape or not bool((x == self._x).all())
        if self._first is None and is_shuffled:
            self._first = x.clone()
        is_first = is_shuffled and x.shape == self._first.shape and bool((x == self._first).all())
        return x + _positions(x) if is_first else x.clone()


def _case(generator, label, layer, expected=False, of_input=False):
    x = randn(generator, SEQ_LEN, D_MODEL)
    return Case((layer(x) if of_input else layer, x), expected, label)


def _matrix(generator):
    return randn(generator, D_MODEL, D_MODEL) / D_MODEL


def _right(generator):
    layers = (
        ("self-attention without a mask", _attention(_matrix(generator))),
        ("a function of each token alone", lambda x: tanh(2 * x - 1)),
        ("a layer that changes nothing", lambda x: x.clone()),
        ("a layer that adds the mean of all tokens to each", lambda x: x + _mean_everywhere(x)),
        ("a layer that gives every position the mean of all tokens", _mean_everywhere),
        (
            "a function of each token alone, up to a rounding error, with outputs near 0.5",
            _nearly(lambda x: 0.5 + tanh(x) / 10),
        ),
        (
            "a function of each token alone, up to a rounding error, with outputs near 0",
            _nearly(lambda x: tanh(x) / 1000),
        ),
    )
    return [_case(generator, words, layer, expected=True) for words, layer in layers]


def adds_positions(generator):
    weight, words = _matrix(generator), "a layer that adds a position to each token"
    return [
        *_right(generator),
        _case(generator, words, lambda x: (x + _positions(x)) @ weight),
        _case(generator, "a layer that adds a small position, up to 0.01", _small_positions),
        _case(generator, "one that adds it to outputs near 10", _small_beside_ten),
        *(
            _case(
                generator, f"a layer that adds a position to the {words} feature", _only_in(place)
            )
            for words, place in (("first", 0), ("last", -1))
        ),
    ]


def sees_the_earlier(generator):
    return [
        *_right(generator),
        _case(
            generator, "self-attention with a causal mask", _attention(_matrix(generator), _causal)
        ),
        _case(generator, "a running sum over the tokens", lambda x: cumsum(x, dim=0)),
    ]


def keeps_some_orders(generator):
    some = "a layer that adds a position, and only to the"
    once = "a layer that follows every order but the first one that you try"
    alike = "a layer that adds a position, the same to the first two tokens and the last"
    return [
        *_right(generator),
        _case(generator, "a layer that adds half of both neighbours", _smoothed),
        _case(generator, "a layer that adds the left neighbour, in a circle", _next_neighbour),
        _case(
            generator, "a layer that adds half of both neighbours, in a circle", _both_neighbours
        ),
        _case(generator, "a layer that sorts its tokens", lambda x: x.sort(dim=0).values),
        _case(generator, alike, _three_alike),
        _case(generator, "a layer that adds 1 to each token of the first half", _halves_differ),
        *(_case(generator, f"{some} last five tokens", _last_differ) for _ in range(4)),
        _case(generator, f"{some} first five tokens", lambda x: _last_differ(x.flip(0)).flip(0)),
        _case(generator, once, _AllButOneOrder, of_input=True),
    ]
