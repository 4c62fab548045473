"""Lesson 07, exercise 6: scores that lose with the distance (ALiBi, Press et al. 2022)."""

import torch
from torch import arange, float32, float64, inf, rand, softmax

from course_lib.checks.exercise import Case, Exercise, Mistake, Property, randn
from course_lib.checks.judge.gradient import cut_off, gradient_fault


def alibi_scores(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    place = arange(key_len - query_len, key_len)[:, None]  # (query_len, 1)
    distance = (place - arange(key_len)).abs()  # (query_len, key_len)
    return scores - slopes[:, None, None] * distance


# --- wrong versions -----------------------------------------------------------------------------


def _back(scores, from_start=False):
    """(query_len, key_len): how far each key lies behind its query, negative where ahead."""
    query_len, key_len = scores.shape[-2:]
    first = 0 if from_start else key_len - query_len
    return arange(first, first + query_len)[:, None] - arange(key_len)


def _by_hand(penalty):
    """Scores minus ``penalty(slopes (heads, 1, 1), scores)``."""
    return lambda scores, slopes: scores - penalty(slopes[:, None, None], scores)


def _masked(scores, slopes):
    return alibi_scores(scores, slopes).masked_fill(_back(scores) < 0, -inf)


def _at_most(longest):
    return _by_hand(lambda slopes, scores: slopes * _back(scores).abs().clamp(max=longest))


def _one_too_early(scores, slopes):
    back = _back(scores) - int(scores.shape[-1] > scores.shape[-2])
    return scores - slopes[:, None, None] * back.abs()


def _keys_moved(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    distance = arange(query_len)[:, None] - arange(key_len - query_len, key_len)
    return scores - slopes[:, None, None] * distance.abs()


def _cases(*shapes, dtype=float32):
    """Of (batch, heads, query_len, key_len)."""

    def cases(generator):
        made = []
        for shape in shapes:
            slopes = 0.3 + rand(shape[1], generator=generator, dtype=dtype, device="cpu")
            made.append(Case((randn(generator, *shape, dtype=dtype), slopes)))
        return made

    return cases


def _learns(function):
    generator = torch.Generator(device="cpu").manual_seed(0)
    cases = _cases((2, 3, 4, 4))(generator)
    return gradient_fault(EXERCISE, function, cases)


EXERCISE = Exercise(
    lesson="07",
    number=6,
    reference=alibi_scores,
    returns={"scores": "(batch, heads, query_len, key_len)"},
    properties=(
        Property(
            "each score loses the slope times the distance of its key, before and after",
            2,
            _cases((1, 1, 3, 3), (3, 1, 4, 4)),
        ),
        Property(
            "each head has its own slope",
            1,
            _cases((1, 2, 3, 3), (2, 3, 4, 4), (3, 3, 5, 5), (4, 2, 2, 2)),
        ),
        Property(
            "with more keys than queries, the queries are the last places",
            2,
            lambda generator: [
                *_cases((1, 1, 1, 3), (2, 3, 1, 5), (3, 2, 2, 6))(generator),
                *_cases((2, 4, 3, 5), dtype=float64)(generator),
                *_cases((1, 2, 1, 300), (1, 1, 2, 2100))(generator),
            ],
        ),
        Property("gradients reach scores and slopes", 1, judge=_learns),
    ),
    mistakes=(
        Mistake(
            "added",
            "You add the penalty: far keys gain. It has to be subtracted.",
            _by_hand(lambda slopes, scores: -slopes * _back(scores).abs()),
        ),
        Mistake(
            "later_keys_gain",
            "Your distance has a sign, so keys after the query gain what those before it lose. "
            "Take its absolute value; whether later keys may be read is the mask's business.",
            _by_hand(lambda slopes, scores: slopes * _back(scores)),
        ),
        Mistake(
            "earlier_keys_gain",
            "Your distance has a sign, and the wrong one: keys before the query gain. Take its "
            "absolute value.",
            _by_hand(lambda slopes, scores: -slopes * _back(scores)),
        ),
        Mistake(
            "later_keys_free",
            "Your distance is 0 for keys after the query: they lose nothing. They are at a "
            "distance too: take the absolute value, and leave hiding them to the mask.",
            _by_hand(lambda slopes, scores: slopes * _back(scores).clamp(min=0)),
        ),
        Mistake(
            "multiplied",
            "You multiply the scores by slope and distance. A score of 0 would stay 0 at any "
            "distance: subtract slope times distance.",
            lambda scores, slopes: scores * slopes[:, None, None] * _back(scores).abs(),
        ),
        Mistake(
            "penalty_alone",
            "You return what is to be taken off, and forget the scores: (heads, query_len, "
            "key_len) has no batch.",
            lambda scores, slopes: -slopes[:, None, None] * _back(scores).abs(),
        ),
        Mistake(
            "keys_moved",
            "You have moved the keys' places where the queries' should move. Key j stands at place "
            "j; query 0 stands at key_len - query_len.",
            _keys_moved,
        ),
        Mistake(
            "squared",
            "You subtract the slope times the square of the distance. It is the distance itself.",
            _by_hand(lambda slopes, scores: slopes * _back(scores) ** 2),
        ),
        Mistake(
            "divided",
            "You divide the distance by the slope: a steep head would look far. Multiply.",
            _by_hand(lambda slopes, scores: _back(scores).abs() / slopes),
        ),
        Mistake(
            "one_too_late",
            "Your queries stand one place too far on: the last query stands at key_len - 1, beside "
            "the last key.",
            _by_hand(lambda slopes, scores: slopes * (_back(scores) + 1).abs()),
        ),
        Mistake(
            "one_too_early",
            "With more keys than queries, your queries stand one place too early: query 0 stands "
            "at key_len - query_len.",
            _one_too_early,
        ),
        Mistake(
            "shares",
            "You divide the distance by the number of keys. Then a key 3 places back loses less in "
            "a longer text; it should lose the same everywhere.",
            _by_hand(lambda slopes, scores: slopes * _back(scores).abs() / scores.shape[-1]),
        ),
        Mistake(
            "logarithm",
            "You subtract the slope times the logarithm of the distance. It is the distance "
            "itself.",
            _by_hand(lambda slopes, scores: slopes * _back(scores).abs().log1p()),
        ),
        Mistake(
            "scaled_down",
            "You multiply the scores by 1 - slope times distance. A score of 0 would stay 0 at any "
            "distance: subtract slope times distance.",
            lambda scores, slopes: scores * (1 - slopes[:, None, None] * _back(scores).abs()),
        ),
        Mistake(
            "mean_slope",
            "You take the mean of the slopes for all heads. Each has its own: slopes[:, None, "
            "None] is (heads, 1, 1).",
            _by_hand(lambda slopes, scores: slopes.mean() * _back(scores).abs()),
        ),
        Mistake(
            "own_slopes",
            "You use the slopes 1/2, 1/4, 1/8, ... whatever slopes are given.",
            lambda scores, slopes: alibi_scores(
                scores, 2.0 ** -arange(1, len(slopes) + 1).to(slopes)
            ),
        ),
        Mistake(
            "sorted",
            "You sort the slopes. Slope h belongs to head h: keep their order.",
            lambda scores, slopes: alibi_scores(scores, slopes.sort().values),
            also=(
                lambda scores, slopes: alibi_scores(scores, slopes.sort(descending=True).values),
            ),
        ),
        Mistake(
            "first_sentence_only",
            "Only the scores of your first sentence lose. (heads, query_len, key_len) fits beside "
            "each sentence of the batch.",
            lambda scores, slopes: torch.cat([alibi_scores(scores[:1], slopes), scores[1:]]),
        ),
        Mistake(
            "penalty_for_each",
            "You return the penalty alone, for each sentence, and forget the scores from which it "
            "is to be taken.",
            _by_hand(lambda slopes, scores: scores + slopes * _back(scores).abs()),
        ),
        Mistake(
            "far_keys_alike",
            "Your distances stop growing somewhere: far keys all lose the same. There is no "
            "longest distance.",
            _at_most(127),
            also=tuple(map(_at_most, (63, 64, 128, 255, 256, 511, 512, 1023, 1024, 2047, 2048))),
        ),
        Mistake(
            "wraps_at_256",
            "Your distances begin again at 256: a byte (uint8) holds numbers up to 255.",
            _by_hand(lambda slopes, scores: slopes * (_back(scores).abs() % 256)),
        ),
        Mistake(
            "one_slope",
            "You take the first slope for all heads. Each has its own: slopes[:, None, None] is "
            "(heads, 1, 1).",
            _by_hand(lambda slopes, scores: slopes[0] * _back(scores).abs()),
        ),
        Mistake(
            "slopes_by_batch",
            "Your slopes meet the batch. Shapes are matched from the right: (heads, 1, 1) beside "
            "(batch, heads, query_len, key_len) meets the heads.",
            lambda scores, slopes: scores - slopes[:, None, None, None] * _back(scores).abs(),
        ),
        Mistake(
            "aligned_to_start",
            "Your query i stands at place i, also when there are more keys. The queries are the "
            "last places: query 0 stands at key_len - query_len.",
            _by_hand(lambda slopes, scores: slopes * _back(scores, from_start=True).abs()),
        ),
        Mistake(
            "from_the_end",
            "You measure from the last key for all queries. (Behind a causal mask and a softmax "
            "that makes no difference; in the scores it does.) Measure from each query's place.",
            _by_hand(lambda slopes, scores: slopes * _back(scores)[-1:]),
        ),
        Mistake(
            "masked",
            "You hide the later keys too. That is the mask's business: subtract only.",
            _masked,
        ),
        Mistake(
            "softmaxed",
            "You return weights. What is asked for are the scores, before the softmax.",
            lambda scores, slopes: softmax(alibi_scores(scores, slopes), dim=-1),
        ),
        Mistake(
            "cut_off",
            cut_off("scores", "slopes"),
            lambda scores, slopes: alibi_scores(scores.detach(), slopes),
        ),
    ),
)
