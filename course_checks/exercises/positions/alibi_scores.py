"""Lesson 07, exercise 6: scores that lose with the distance (ALiBi, Press et al. 2022)."""

from torch import arange, float32, float64, rand

from course_checks.exercise import Case, Exercise, Property, all_of, randn
from course_checks.judge.gradient import detached


def alibi_scores(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    place = arange(key_len - query_len, key_len)[:, None]  # (query_len, 1)
    distance = (place - arange(key_len)).abs()  # (query_len, key_len)
    return scores - slopes[:, None, None] * distance


MISTAKES = """
added: scores - slopes -> scores + slopes
    You add the penalty: far keys gain. It has to be subtracted.
later_keys_gain: .abs() ->
    Your distance has a sign, so keys after the query gain what those before it lose. Take its
    absolute value; whether later keys may be read is the mask's business.
earlier_keys_gain: .abs() -> && scores - slopes -> scores + slopes
    Your distance has a sign, and the wrong one: keys before the query gain. Take its absolute
    value.
later_keys_free: .abs() -> .clamp(min=0)
    Your distance is 0 for keys after the query: they lose nothing. They are at a distance too: take
    the absolute value, and leave hiding them to the mask.
by_key: - slopes[:, None, None] * distance -> + slopes[:, None, None] * arange(key_len)
    You add slope times the key's position. Behind a causal mask a softmax cannot tell that from
    what was asked for, since it adds the same to a whole row; later keys would gain, though.
multiplied: scores - slopes -> scores * slopes
or: scores - slopes[:, None, None] * distance -> \
        scores * (1 - slopes[:, None, None] * distance)
    You multiply the scores by what comes of slope and distance. A score of 0 would stay 0 at any
    distance: subtract slope times distance.
penalty_alone: return scores - -> return -
    You return what is to be taken off, and forget the scores: (heads, query_len, key_len) has no
    batch.
squared: .abs() -> ** 2
    You subtract the slope times the square of the distance. It is the distance itself.
divided: slopes[:, None, None] * distance -> distance / slopes[:, None, None]
    You divide the distance by the slope: a steep head would look far. Multiply.
one_too_late: - arange(key_len) -> - arange(key_len) + 1
    Your queries stand one place too far on: the last query stands at key_len - 1, beside the last
    key.
one_too_early: - arange(key_len) -> - arange(key_len) - int(key_len > query_len)
    With more keys than queries, your queries stand one place too early: query 0 stands at key_len -
    query_len.
shares: * distance -> * distance / key_len
    You divide the distance by the number of keys. Then a key 3 places back loses less in a longer
    text; it should lose the same everywhere.
logarithm: .abs() -> .abs().log1p()
    You subtract the slope times the logarithm of the distance. It is the distance itself.
own_slopes: slopes[:, None, None] -> 2.0 ** -arange(1, len(slopes) + 1).to(slopes)[:, None, None]
    You use the slopes 1/2, 1/4, 1/8, ... whatever slopes are given.
sorted: slopes[:, None, None] -> slopes.sort().values[:, None, None]
or: slopes[:, None, None] -> slopes.sort(descending=True).values[:, None, None]
    You sort the slopes. Slope h belongs to head h: keep their order.
first_sentence_only: lambda scores, slopes: \
        torch.cat([alibi_scores(scores[:1], slopes), scores[1:]])
    Only the scores of your first sentence lose. (heads, query_len, key_len) fits beside each
    sentence of the batch.
penalty_for_each: - slopes[:, None, None] * distance -> \
        - (scores + slopes[:, None, None] * distance)
    You return the penalty alone, for each sentence, and forget the scores from which it is to be
    taken.
far_keys_alike: .abs() -> .abs().clamp(max=127) || .abs().clamp(max=63) || \
        .abs().clamp(max=64) || .abs().clamp(max=128) || .abs().clamp(max=255) || \
        .abs().clamp(max=256) || .abs().clamp(max=511) || .abs().clamp(max=512) || \
        .abs().clamp(max=1023) || .abs().clamp(max=1024) || .abs().clamp(max=2047) || \
        .abs().clamp(max=2048)
    Your distances stop growing somewhere: far keys all lose the same. There is no longest distance.
wraps_at_256: .abs() -> .abs() % 256
    Your distances begin again at 256: a byte (uint8) holds numbers up to 255.
one_slope: slopes[:, None, None] -> slopes[0] || slopes.mean()
    You take one slope for all heads. Each has its own: slopes[:, None, None] is (heads, 1, 1).
slopes_by_batch: [:, None, None] -> [:, None, None, None]
or: slopes[:, None, None] -> slopes[arange(len(scores)) % len(slopes)][:, None, None, None]
    Your slopes meet the batch. Shapes are matched from the right: (heads, 1, 1) beside (batch,
    heads, query_len, key_len) meets the heads.
slopes_by_key: slopes[:, None, None] -> slopes || slopes[:, None]
    Your slopes meet the keys, or the queries: shapes are matched from the right. (heads, 1, 1)
    beside (batch, heads, query_len, key_len) meets the heads.
aligned_to_start: arange(key_len - query_len, key_len) -> arange(query_len)
    Your query i stands at place i, also when there are more keys. The queries are the last places:
    query 0 stands at key_len - query_len.
from_the_end: * distance -> * distance[-1:]
    You measure from the last key for all queries. (Behind a causal mask and a softmax that makes no
    difference; in the scores it does.) Measure from each query's place.
masked: return scores -> return scores.masked_fill(place < arange(key_len), -torch.inf)
    You hide the later keys too. That is the mask's business: subtract only.
softmaxed: lambda scores, slopes: torch.softmax(alibi_scores(scores, slopes), dim=-1)
    You return weights. What is asked for are the scores, before the softmax.
"""


def _cases(*shapes, dtype=float32):
    """Of (batch, heads, query_len, key_len)."""

    def cases(generator):
        for shape in shapes:
            slopes = 0.3 + rand(shape[1], generator=generator, dtype=dtype, device="cpu")
            yield Case((randn(generator, *shape, dtype=dtype), slopes))

    return cases


EXERCISE = Exercise(
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
            all_of(
                _cases((1, 1, 1, 3), (2, 3, 1, 5), (3, 2, 2, 6)),
                _cases((2, 4, 3, 5), dtype=float64),
                _cases((1, 2, 1, 300), (1, 1, 2, 2100)),
            ),
        ),
        Property("gradients reach scores and slopes", 1, gradient=_cases((2, 3, 4, 4))),
    ),
    mistakes=(MISTAKES, detached("scores", "slopes")),
)
