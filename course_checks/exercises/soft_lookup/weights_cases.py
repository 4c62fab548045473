"""The attention functions on which the student's test of lesson 01, exercise 5 is run.

The right ones have sums of exactly 1, but for one that is always off by rounding: a test that asks
for exactly 1 does not pass by luck.
"""

from torch import exp, softmax
from torch.nn.functional import one_hot

from course_checks.exercise import Case


def _attention(weights_of):
    """An attention with any leading dimensions whose weights are ``weights_of(scores)``."""

    def attention(query, key, value):
        weights = weights_of(query @ key.transpose(-2, -1))  # (..., query_len, key_len)
        return weights @ value, weights

    return attention


def _softmax(scores):
    return softmax(scores, dim=-1)


def _hard(scores):
    """All weight on one key, on the first one where several tie."""
    return one_hot(scores.argmax(dim=-1), scores.shape[-1]).to(scores.dtype)


def _off_by_rounding(scores):
    return (1 - 4e-7) * _softmax(scores)


def _without_rounding(scores):
    """A softmax in whole 4096ths; the largest weight takes the rest: sums of exactly 1."""
    weights = (_softmax(scores / 3) * 4096).round() / 4096
    return weights + _hard(scores) * (1 - weights.sum(dim=-1, keepdim=True))


def _over_everything(scores):
    return softmax(scores.flatten(-2), dim=-1).view(scores.shape)


def _last_row_lost(scores):
    """The last row sums to 0.02."""
    weights = _softmax(scores)
    weights[..., -1, :] *= 0.02
    return weights


def _last_rows_uneven(scores):
    """The last row sums to 0.02 and the one before it to 1.98."""
    weights = _last_row_lost(scores)
    weights[..., -2:-1, :] *= 1.98
    return weights


def _first_row_lost(scores):
    weights = _softmax(scores)
    weights[..., 0, :] *= 0.02
    return weights


def _never_divided(scores):
    return exp(scores - scores.amax(dim=-1, keepdim=True))


def _standardised(scores):
    """Mean 0 and standard deviation 1 in each row, and zeros in a row of equal scores."""
    centred = scores - scores.mean(dim=-1, keepdim=True)
    return centred / (scores.std(dim=-1, keepdim=True, correction=0) + 1e-9)


def _below_zero(scores):
    """Each row sums to 1, and its smallest entry is negative."""
    return 1 / scores.shape[-1] + _standardised(scores)


def _below_zero_anyway(scores):
    """Each row sums to 1, and one entry is negative however the scores are."""
    weights = _softmax(scores)
    weights[..., 0] += 1.5
    weights[..., -1] -= 1.5
    return weights


def _slightly_below_zero(scores):
    """Each row sums to 1, and one entry is -0.05."""
    weights = _softmax(scores)
    moved = weights[..., 0] + 0.05
    weights[..., 0] -= moved
    weights[..., -1] += moved
    return weights


def _sizes_sum_to_one(scores):
    """Every second weight is negative, and it is the absolute values that sum to 1."""
    weights = _softmax(scores)
    weights[..., ::2] *= -1
    return weights


def _case(weights_of, expected, label):
    return Case((_attention(weights_of),), expected, label)


def _right():
    return [
        _case(_off_by_rounding, True, "a right attention, whose sums are 1 up to rounding"),
        _case(_without_rounding, True, "a right attention with temperature 3"),
        _case(_hard, True, "a hard look-up (one weight of 1 in each row, zeros elsewhere)"),
    ]


def over_queries(generator):
    words = "an attention whose softmax runs over the queries instead of the keys"
    return [*_right(), _case(lambda s: softmax(s, dim=-2), False, words)]


def not_shared_out(generator):
    return [
        *_right(),
        _case(_over_everything, False, "an attention whose whole weight matrix sums to 1"),
        _case(_never_divided, False, "an attention that never divides by the sum of its row"),
        _case(
            lambda s: _never_divided(_standardised(s)),
            False,
            "an attention that standardises its scores and never divides by the sum of its row",
        ),
    ]


def few_rows(generator):
    return [
        *_right(),
        _case(_last_row_lost, False, "an attention whose last query has weights summing to 0.02"),
        _case(_first_row_lost, False, "an attention whose first query has weights summing to 0.02"),
        _case(
            _last_rows_uneven,
            False,
            "an attention with one row summing to 1.98 and another to 0.02",
        ),
        *(
            _case(
                lambda s, total=total: total * _softmax(s),
                False,
                f"an attention whose rows sum to {total} instead of 1",
            )
            for total in (0.98, 1.02)
        ),
    ]


def negative(generator):
    words = "an attention with negative weights, whose rows sum to 1"
    sizes = "an attention with negative weights, whose absolute values sum to 1"
    return [
        *_right(),
        _case(_below_zero, False, words),
        _case(_below_zero_anyway, False, f"{words} for any scores"),
        _case(
            _slightly_below_zero, False, "an attention with weights of -0.05, whose rows sum to 1"
        ),
        _case(_sizes_sum_to_one, False, sizes),
    ]
