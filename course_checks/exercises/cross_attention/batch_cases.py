"""The models on which the student's test of lesson 06, exercise 6 is run.

Each maps source (batch, max_len, d_model) and lengths (batch,) to one answer per sentence,
(batch, d_model). They compute in float64, where company changes no bit that matters; two are off
by rounding, and always. So no tolerance is right or wrong by luck.
"""

import torch
from torch import float64, softmax, tanh

from course_checks.exercise import Case, randn

MAX_LEN, D_MODEL = 6, 4
LENGTHS = (MAX_LEN, 2, 4)  # the first sentence has no padding


def _real(x, lengths):
    """(batch, max_len), True at the tokens of the sentence."""
    return torch.arange(x.shape[1], device="cpu") < lengths[:, None]


def _everything(x, lengths):
    return _real(x, lengths) | True


def _mean(x, keep):
    return (x * keep[..., None]).sum(dim=1) / keep.sum(dim=1, keepdim=True)


def _attention(generator, keys=_real, answers=_real):
    """Self-attention that may read ``keys``, and then the mean of the outputs at ``answers``."""
    matrix = randn(generator, D_MODEL, D_MODEL).to(float64) / 2

    def model(source, lengths):
        x = source.to(float64)
        scores = (x @ matrix @ x.transpose(1, 2)).masked_fill(~keys(x, lengths)[:, None], -1e9)
        return _mean(softmax(scores, dim=-1) @ x, answers(x, lengths)).to(source.dtype)

    return model


def _then(model, change):
    """``change(answers, source, lengths)`` behind a model."""
    return lambda source, lengths: change(model(source, lengths), source, lengths)


def _hears(listener, speaker):
    """One sentence's answer is added to another's, where there are two."""

    def change(y, source, lengths):
        added = torch.zeros_like(y)
        if len(y) > 1:
            added[listener] = y[speaker]
        return y + added

    return change


def _one_feature(feature, factor=0.5):
    """``feature`` of each answer hears that of the sentence before, where there are two."""

    def change(y, source, lengths):
        heard = torch.zeros_like(y)
        heard[:, feature] = factor * (y.roll(1, 0) - y)[:, feature]
        return y + heard

    return change


def _two_features(y, source, lengths):
    """What is added to one feature is taken from another: their sum stays."""
    heard = 0.5 * (y.roll(1, 0) - y)[:, :1]
    return torch.cat([y[:, :1] + heard, y[:, 1:-1], y[:, -1:] - heard], dim=1)


def _not_a_number(y, source, lengths):
    """0/0 for a sentence that has padding, as an empty row of a softmax gives."""
    return y.masked_fill((lengths < source.shape[1])[:, None], torch.nan)


def _mean_of_real(source, lengths):
    return _mean(source.to(float64), _real(source, lengths)).to(source.dtype)


def _case(generator, label, model, expected=True, lengths=LENGTHS):
    source = randn(generator, len(lengths), MAX_LEN, D_MODEL)  # the padding is no zeros
    return Case((model, source, torch.tensor(lengths, device="cpu")), expected, label)


def _right(generator):
    models = {
        "attention with a padding mask": _attention(generator),
        "the mean of each sentence's own tokens": _mean_of_real,
        "the last real token of each sentence": lambda source, lengths: source[
            torch.arange(len(lengths), device="cpu"), lengths - 1
        ],
    }
    return [_case(generator, words, model, False) for words, model in models.items()]


def _cases(generator, models):
    return _right(generator) + [_case(generator, *pair) for pair in models.items()]


def padding(generator):
    words = "attention with a padding mask"
    models = {
        "attention without a mask": _attention(generator, _everything),
        f"{words}, and a mean over the padding as well": _attention(generator, _real, _everything),
        f"{words} that lets one token of it through": _attention(
            generator, lambda x, lengths: _real(x, lengths + 1)
        ),
        f"{words} that gives NaN for sentences with padding": _then(
            _attention(generator), _not_a_number
        ),
        "the sum of each sentence's own tokens, divided by max_len": lambda source, lengths: (
            _mean_of_real(source, lengths) * lengths[:, None] / source.shape[1]
        ),
    }
    padded = " of sentences that all have padding, the longest last"
    return [
        *_cases(generator, models),
        _case(generator, words + padded, _attention(generator), False, (2, 4, 5)),
        _case(
            generator,
            f"attention without a mask{padded}",
            _attention(generator, _everything),
            lengths=(2, 4, 5),
        ),
    ]


def neighbours(generator):
    model, words = _attention(generator), "attention with a padding mask"
    models = {
        f"{words}, its answers minus their mean over the batch": _then(
            model, lambda y, source, lengths: y - y.mean(dim=0)
        ),
        f"{words} and a softmax over the batch": _then(
            model, lambda y, source, lengths: softmax(y, dim=0)
        ),
        f"{words}, the first sentence's for all": _attention(
            generator, lambda x, lengths: _real(x, lengths[:1].expand(len(lengths)))
        ),
    }
    return _cases(generator, models)


def small(generator):
    model, words = _attention(generator), "attention with a padding mask"
    models = {
        f"{words}, in which the last sentence hears the first": _then(model, _hears(-1, 0)),
        f"{words}, in which the first sentence hears the last": _then(model, _hears(0, -1)),
        f"{words}, in which the second sentence hears the first": _then(model, _hears(1, 0)),
        f"{words}, plus 0.003 for each sentence of the batch": _then(
            model, lambda y, source, lengths: y + 0.003 * len(y)
        ),
        f"{words}, in which the last feature hears the sentence before": _then(
            model, _one_feature(-1)
        ),
        f"{words}, in which the first feature hears the sentence before": _then(
            model, _one_feature(0)
        ),
        f"{words}, in which two features hear it, one with a minus": _then(model, _two_features),
        f"{words}, times the number of sentences": _then(
            model, lambda y, source, lengths: y * len(y)
        ),
    }
    return _cases(generator, models)


def rounding(generator):
    """Off by 1e-7 for each sentence in the batch."""
    words = "a right model up to a rounding error, with answers near"
    near = {
        "0.5": lambda y, source, lengths: 0.5 + tanh(y) / 10 + 1e-7 * len(y),
        "0": lambda y, source, lengths: tanh(y) / 1000 + 1e-7 * len(y),
    }
    nearly = {f"{words} {number}": _then(_mean_of_real, f) for number, f in near.items()}
    return [
        *(_case(generator, label, model, False) for label, model in nearly.items()),
        *_right(generator),
        _case(generator, "attention without a mask", _attention(generator, _everything)),
    ]
