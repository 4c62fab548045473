"""Lesson 16, exercise 5: from logits to the probabilities that a next token is drawn with."""

import torch

from course_lib.checks.exercise import Case, Exercise, Property, randn


def next_token_probs(logits, temperature, top_k):
    scaled = logits / temperature
    if top_k is not None:
        least = scaled.topk(top_k, dim=-1).values[..., -1:]  # (..., 1): the last that may stay
        scaled = scaled.masked_fill(scaled < least, -torch.inf)
    return scaled.softmax(dim=-1)


MISTAKES = """
multiplies: logits / temperature -> logits * temperature
    You multiply by the temperature. Divide by it: a high temperature brings the logits closer
    together, and makes unlikely tokens likelier.
no_temperature: logits / temperature -> logits
    The temperature changes nothing in your answer: your probabilities are those at temperature 1.
no_temperature_with_top_k: logits / temperature -> logits / (temperature if top_k is None else 1.0)
    You use the temperature where top_k is None, and not where it is a number. Divide first, for
    both.
root_of_temperature: / temperature -> / temperature**0.5
    You divide by the root of the temperature. The root belongs to head_dim, in the scores of
    attention; here it is the temperature itself.
divided_afterwards: logits / temperature -> logits && scaled.softmax(dim=-1) -> \
        scaled.softmax(dim=-1) / temperature
    You divide the probabilities by the temperature, and they no longer sum to 1. Divide the logits,
    before the softmax.
probabilities_scaled: logits / temperature -> logits.softmax(dim=-1) / temperature
    You divide probabilities by the temperature and take a softmax of them. The softmax belongs to
    the logits, once: divide the logits, then take it.
twice: return scaled -> return scaled.softmax(dim=-1)
    You take a softmax of probabilities. They are positive and sum to 1 already, and a second
    softmax makes them nearly equal.
log_probabilities: .softmax(dim=-1) -> .softmax(dim=-1).log()
    You return logarithms of probabilities: log_softmax. What is asked for is the probabilities.
no_softmax: .softmax(dim=-1) ->
    You return logits, with the others at minus infinity. A softmax makes probabilities of them.
no_top_k: top_k is not None -> False
    You leave all tokens possible whatever top_k is.
not_divided_again: _not_divided_again
    You set the others to 0 after the softmax, and what is left no longer sums to 1. Block them
    before the softmax, or divide by the sum of what is left.
zero_logits: -torch.inf -> 0.0
    You set the logits of the others to 0. That is a logit like any other, and exp(0) is 1: to leave
    a token out, its logit must be minus infinity.
finite_fill: -torch.inf -> -20.0
or: -torch.inf -> -50.0
    You fill in a finite number for the logits of the others. Logits may all lie below it, and then
    it is the likeliest: fill in minus infinity.
among_all_rows: _keeping(_among_all_rows)
or: _keeping(_above_the_lowest)
or: _keeping(_above_the_first)
    You compare all rows with one threshold. Each row is another text with its own next token: take
    the top_k of each row, dim=-1, and compare it with its own last one.
one_too_few: _keeping(lambda logits, top_k: _rank(logits) < top_k - 1)
or: _keeping(lambda logits, top_k: _rank(logits) < max(1, top_k - 1))
    You keep one token too few: the last of the top_k stays too. It is < and not <= that leaves a
    token out.
one_too_many: _keeping(lambda logits, top_k: _rank(logits) <= top_k)
or: _one_more
    You keep one token too many: the threshold is the last of the top_k, and not the first of the
    others.
smallest: _keeping(lambda logits, top_k: _rank(-logits) < top_k)
or: _keeping(lambda logits, top_k: _rank(logits) >= top_k)
    You keep the smallest logits, or keep what should be left out. The likeliest tokens are those
    with the largest logits.
first_tokens: _keeping(lambda logits, top_k: torch.arange(logits.shape[-1]) < top_k)
    You keep the first top_k tokens of the vocabulary. Where the largest logits stand, topk says in
    its indices.
other_dimension: softmax(dim=-1) -> softmax(dim=0)
or: softmax(dim=-1) -> softmax(dim=1)
or: softmax(dim=-1) -> softmax(dim=-2)
    Your softmax runs over another dimension than the vocabulary, which is the last: dim=-1.
softmax_of_the_rest: _softmax_of_the_rest
    You take a second softmax over what is left of the probabilities. The zeros become positive
    again: divide by the sum of what is left instead.
divided_by_all: _divided_by_all
    You divide by the sum over all rows. Each row should sum to 1 by itself: sum with dim=-1,
    keepdim=True.
only_the_kept: _only_the_kept
    You return the top_k probabilities alone, and nobody can tell which tokens they belong to. The
    answer has a place for every token of the vocabulary, with 0 for the others.
"""


# --- wrong versions -----------------------------------------------------------------------------


def _rank(logits):
    """0 for the largest of each row, 1 for the next."""
    return logits.argsort(dim=-1, descending=True).argsort(dim=-1)


def _is_kept(logits, top_k):
    """Whether a token is one of the ``top_k`` of its row."""
    return torch.ones_like(logits, dtype=torch.bool) if top_k is None else _rank(logits) < top_k


def _keeping(is_kept):
    """A version that leaves possible what ``is_kept(logits, top_k)`` says."""

    def version(logits, temperature, top_k):
        scaled = logits / temperature
        if top_k is not None:
            scaled = scaled.masked_fill(~is_kept(logits, top_k), -torch.inf)
        return scaled.softmax(dim=-1)

    return version


def _among_all_rows(logits, top_k):
    return logits >= logits.flatten().topk(top_k).values[-1]


def _above_the_lowest(logits, top_k):
    return logits >= logits.topk(top_k, dim=-1).values.min()


def _above_the_first(logits, top_k):
    return logits >= logits.flatten(0, -2)[:1].topk(top_k, dim=-1).values[..., -1:]


def _one_more(logits, temperature, top_k):
    return next_token_probs(logits, temperature, None if top_k is None else top_k + 1)


def _not_divided_again(logits, temperature, top_k):
    return (logits / temperature).softmax(dim=-1) * _is_kept(logits, top_k)


def _softmax_of_the_rest(logits, temperature, top_k):
    probs = _not_divided_again(logits, temperature, top_k)
    return probs if top_k is None else probs.softmax(dim=-1)


def _divided_by_all(logits, temperature, top_k):
    probs = _not_divided_again(logits, temperature, top_k)
    return probs / probs.sum()


def _only_the_kept(logits, temperature, top_k):
    scaled = logits / temperature
    return (scaled if top_k is None else scaled.topk(top_k).values).softmax(dim=-1)


# --- logits -------------------------------------------------------------------------------------


def _cases(*settings):
    """(shape, temperature, top_k) each; with a fourth number, all logits lie about it."""

    def make(generator):
        return [
            Case(
                (1.5 * randn(generator, *shape) + sum(around), temperature, top_k),
                label=f"logits of shape {shape}, temperature = {temperature}, top_k = {top_k}",
            )
            for shape, temperature, top_k, *around in settings
        ]

    return make


EXERCISE = Exercise(
    lesson="16",
    number=5,
    reference=next_token_probs,
    returns={"probabilities": "the shape of logits"},
    properties=(
        Property(
            "all tokens possible (top_k None): the logits divided by the temperature, and a "
            "softmax over the vocabulary",
            2,
            _cases(((4,), 0.5, None), ((3, 4), 2.0, None), ((2, 3, 6), 0.8, None)),
        ),
        Property(
            "the top_k largest of each row stay possible, and their probabilities sum to 1",
            2,
            _cases(((6,), 1.0, 2), ((3, 5), 1.0, 3), ((4, 6), 1.0, 1)),
        ),
        Property(
            "both at once, in a batch of any shape",
            1,
            _cases(((2, 7), 0.6, 4), ((3, 2, 6), 1.7, 2), ((9,), 0.4, 3), ((2, 5), 1.0, 2, -80.0)),
        ),
    ),
    mistakes=MISTAKES,
)
