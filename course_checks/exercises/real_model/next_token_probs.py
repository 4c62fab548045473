"""Lesson 16, exercise 5: from logits to the probabilities that a next token is drawn with."""

import torch

from course_checks.exercise import Case, Exercise, Property, randn
from course_checks.judge.calling import call


def next_token_probs(logits, temperature, top_k):
    scaled = logits / temperature
    if top_k is not None:
        least = scaled.topk(top_k, dim=-1).values[..., -1:]  # (..., 1): the last that may stay
        scaled = scaled.masked_fill(scaled < least, -torch.inf)
    return scaled.softmax(dim=-1)


MISTAKES = """
multiplies: logits / temperature -> logits * temperature
    You multiply by the temperature. Divide by it: a high one brings the logits closer together.
overflows: scaled.softmax(dim=-1) -> scaled.exp() / scaled.exp().sum(dim=-1, keepdim=True)
or: scaled = logits / temperature -> scaled = (logits / temperature).exp() && -torch.inf -> 0.0 && \
        scaled.softmax(dim=-1) -> scaled / scaled.sum(dim=-1, keepdim=True)
    You take exponentials of the logits as they are. At a low temperature they are large, and the
    exponentials infinite: torch's softmax subtracts the largest first.
no_low_temperature: logits / temperature -> logits / max(temperature, 0.1) || \
        logits / (temperature + 0.01)
    You do not divide by the temperature itself: a low one is changed first. It is above 0 here.
no_temperature: logits / temperature -> logits
    The temperature changes nothing in your answer.
no_temperature_with_top_k: logits / temperature -> logits / (temperature if top_k is None else 1.0)
    You use the temperature only where top_k is None. Divide first, for both.
root_of_temperature: / temperature -> / temperature**0.5
    You divide by the root of the temperature. Here it is the temperature itself.
divided_afterwards: logits / temperature -> logits && scaled.softmax(dim=-1) -> \
        scaled.softmax(dim=-1) / temperature
    You divide the probabilities by the temperature. Divide the logits, before the softmax.
probabilities_scaled: logits / temperature -> logits.softmax(dim=-1) / temperature
or: return scaled -> return scaled.softmax(dim=-1)
    You take a softmax of probabilities, and they become nearly equal. It belongs to the logits,
    once.
log_probabilities: .softmax(dim=-1) -> .softmax(dim=-1).log() || .log_softmax(dim=-1)
    You return logarithms of probabilities: log_softmax. What is asked for is the probabilities.
no_softmax: .softmax(dim=-1) ->
    You return logits, with the others at minus infinity. A softmax makes probabilities of them.
no_top_k: top_k is not None -> False
    You leave all tokens possible whatever top_k is.
not_divided_again: scaled = scaled.masked_fill(scaled < least, -torch.inf) -> \
                return scaled.softmax(dim=-1).masked_fill(scaled < least, 0.0)
    You set the others to 0 after the softmax, and what is left no longer sums to 1. Block them
    before the softmax.
zero_logits: -torch.inf -> 0.0
    You set the logits of the others to 0, and exp(0) is 1. It must be minus infinity.
finite_fill: -torch.inf -> -20.0 || -50.0
    You fill in a finite number for the logits of the others. Logits may all lie below it: fill in
    minus infinity.
among_all_rows: scaled.topk(top_k, dim=-1).values[..., -1:] -> \
        scaled.flatten().topk(top_k).values[-1] || .values[..., -1:] -> .values.min() || \
        scaled.topk -> scaled.flatten(0, -2)[:1].topk
    You compare all rows with one threshold. Each row is another text: take its own top_k, dim=-1.
not_quite_zero: return scaled.softmax(dim=-1) -> return scaled.softmax(dim=-1).clamp(min=1e-9)
    {NOT_ZERO}
one_too_few: scaled < least -> scaled <= least || topk(top_k, -> topk(max(1, top_k - 1),
    You keep one token too few: the last of the top_k stays too, so it is < and not <=.
one_too_many: topk(top_k, -> topk(min(top_k + 1, logits.shape[-1]), || topk(top_k + 1,
    You keep one token too many: the threshold is the last of the top_k.
smallest: scaled.topk -> (-scaled).topk && scaled < least -> -scaled < least
or: scaled < least -> scaled >= least
    You keep the smallest logits, or what should be left out. The likeliest have the largest.
first_tokens: scaled < least -> torch.arange(logits.shape[-1]) >= top_k
    You keep the first top_k tokens of the vocabulary. Keep those with the largest logits.
other_dimension: softmax(dim=-1) -> softmax(dim=0) || softmax(dim=1) || softmax(dim=-2)
    Your softmax runs over another dimension than the vocabulary, which is the last: dim=-1.
softmax_of_the_rest: scaled = scaled.masked_fill(scaled < least, -torch.inf) -> \
                return scaled.softmax(dim=-1).masked_fill(scaled < least, 0.0).softmax(dim=-1)
    You take a second softmax of what is left, and zeros become positive. Divide by the sum instead.
divided_by_all: scaled = scaled.masked_fill(scaled < least, -torch.inf) -> probs = \
        scaled.softmax(dim=-1).masked_fill(scaled < least, 0.0); return probs / probs.sum() && \
        return scaled.softmax(dim=-1) -> return scaled.softmax(dim=-1) / \
        scaled.softmax(dim=-1).sum()
    You divide by the sum over all rows. Each row should sum to 1 by itself: dim=-1, keepdim=True.
only_the_kept: scaled = scaled.masked_fill(scaled < least, -torch.inf) -> \
                scaled = scaled.topk(top_k).values
    You return the top_k probabilities alone. The answer has a place for every token of the
    vocabulary, with 0 for the others.
"""


def _cases(*settings):
    """(shape, temperature, top_k) each; with a fourth number, all logits lie about it.

    At a low temperature they lie so near each other that several stay likely.
    """

    return lambda generator: [
        Case(
            (
                1.5 * min(1, temperature) * randn(generator, *shape) + sum(around),
                temperature,
                top_k,
            ),
            label=f"logits of shape {shape}, temperature = {temperature}, top_k = {top_k}",
        )
        for shape, temperature, top_k, *around in settings
    ]


NOT_ZERO = (
    "Your probabilities are right but for rounding, and what is not possible has a little more "
    "than 0. It must be exactly 0: fill in minus infinity for its logit."
)


def _exactly_zero(function):
    (case,) = _cases(((4, 6), 1.0, 2))(torch.Generator(device="cpu").manual_seed(0))
    answer = call(EXERCISE, function, case.args, 0).answer
    return (NOT_ZERO, "") if answer and (answer["probabilities"] != 0).sum() > 4 * 2 else None


EXERCISE = Exercise(
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
            1,
            _cases(((6,), 1.0, 2), ((3, 5), 1.0, 3), ((4, 6), 1.0, 1)),
        ),
        Property(
            "both at once, in a batch of any shape",
            1,
            _cases(
                ((2, 7), 0.6, 4),
                ((3, 2, 6), 1.7, 2),
                ((9,), 0.4, 3),
                ((3, 6), 0.05, 4, 10.0),
                ((2, 5), 1.0, 2, -80.0),
            ),
        ),
        Property("what is not possible has exactly 0", 1, judge=_exactly_zero),
    ),
    stretched="logits",
    mistakes=MISTAKES,
)
