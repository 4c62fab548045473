"""Lesson 01, exercise 2: all queries at once, without a loop."""

from torch import exp, float64, sigmoid, softmax
from torch.nn.functional import normalize, one_hot

from course_lib.attention.scaled_dot_product import scaled_dot_product_attention
from course_lib.checks.exercise import Case, Exercise, Mistake, Property, randn
from course_lib.checks.judge.observations import column_sums, largest, row_sum, total
from course_lib.checks.judge.source import no_loop


def attend_all(query, key, value):
    scores = query @ key.transpose(-2, -1)  # (query_len, key_len)
    weights = softmax(scores, dim=-1)
    return weights @ value, weights  # (query_len, value_dim)


def _with_weights(weights_of):
    """A version whose weights come from the scores in another way."""

    def version(query, key, value):
        weights = weights_of(query @ key.transpose(-2, -1))
        return weights @ value, weights

    return version


def _plain_mean(query, key, value):
    output, weights = attend_all(query, key, value)
    return value.mean(dim=0).expand(output.shape), weights


def _roles_exchanged(query, key, value):
    weights = softmax(key @ query.transpose(-2, -1), dim=-1)  # (key_len, query_len)
    return weights @ value, weights


def _roles_exchanged_twice(query, key, value):
    weights = softmax(key @ query.transpose(-2, -1), dim=-1)
    return weights.transpose(-2, -1) @ value, weights


def _shares_of(numbers_of):
    """A version that never takes an exponential."""

    def weights_of(scores):
        numbers = numbers_of(scores)
        return numbers / numbers.sum(dim=-1, keepdim=True)

    return _with_weights(weights_of)


def _cosine(query, key, value):
    weights = attend_all(normalize(query, dim=-1), normalize(key, dim=-1), value)[1]
    return weights @ value, weights


def _scaled_output(query, key, value):
    scaled = attend_all(query / query.shape[-1] ** 0.5, key, value)[0]
    return scaled, attend_all(query, key, value)[1]


def _softmax_again(query, key, value):
    weights = attend_all(query, key, value)[1]
    return softmax(weights, dim=-1) @ value, weights


def _reshaped(query, key, value):
    weights = softmax(query @ key.reshape(key.shape[::-1]), dim=-1)
    return weights @ value, weights


def _not_transposed(query, key, value):
    weights = softmax(query @ key, dim=-1)
    return weights @ value, weights


def _weights_transposed(query, key, value):
    weights = attend_all(query, key, value)[1]
    return weights.transpose(-2, -1) @ value, weights


def _cases(*sizes, dtype=None):
    """(query_len, key_len, d, value_dim) each."""

    def make(generator):
        return [
            Case(
                tuple(
                    (0.8 * randn(generator, *shape)).to(dtype)
                    for shape in ((queries, d), (keys, d), (keys, d_v))
                )
            )
            for queries, keys, d, d_v in sizes
        ]

    return make


def _returning(changed):
    """A version with the right output that returns other weights, ``changed(weights)``."""

    def version(query, key, value):
        output, weights = attend_all(query, key, value)
        return output, changed(weights)

    return version


EXERCISE = Exercise(
    lesson="01",
    number=2,
    reference=attend_all,
    returns={"output": "(query_len, value_dim)", "weights": "(query_len, key_len)"},
    library=(scaled_dot_product_attention,),
    properties=(
        Property(
            "row i of the weights is the softmax of the dot products of query i with every key",
            2,
            _cases((2, 4, 3, 5), (3, 3, 3, 3)),
            only="weights",
        ),
        Property(
            "row i of the output is the average of the values with the weights of row i",
            1,
            _cases((2, 4, 3, 5), (3, 3, 3, 3)),
            only="output",
        ),
        Property(
            "the same holds for any number of queries, keys and features",
            1,
            lambda generator: (
                _cases((1, 4, 3, 2), (5, 1, 2, 3), (6, 4, 5, 1))(generator)
                + _cases((3, 5, 4, 2), dtype=float64)(generator)
            ),
        ),
        Property("no loop in Python", 1, judge=no_loop),
    ),
    mistakes=(
        Mistake(
            "not_transposed",
            "You multiply query and key as they are, (query_len, d) times (key_len, d). Where that "
            "fits at all, because the sizes happen to be equal, it mixes the wrong numbers: which "
            "one must be transposed so that the two d meet?",
            _not_transposed,
        ),
        Mistake(
            "reshaped",
            "You reshape the keys to (d, key_len). The shape is right and the numbers are mixed: a "
            "reshape keeps their order in memory. key.T turns the keys into columns.",
            _reshaped,
        ),
        Mistake(
            "softmax_over_queries",
            "Your softmax runs over the queries instead of the keys. Each query shares out its own "
            "weight among the keys, so each row must sum to 1.",
            _with_weights(lambda scores: softmax(scores, dim=0)),
            column_sums(),
        ),
        Mistake(
            "softmax_over_all",
            "Your softmax runs over the whole matrix at once, so all queries share a total of 1. "
            "Every query has its own 1 to share out.",
            _with_weights(lambda scores: softmax(scores.flatten(), dim=0).view(scores.shape)),
            total(),
        ),
        Mistake(
            "no_softmax",
            "Your weights are the raw dot products: the softmax is missing.",
            _with_weights(lambda scores: scores),
            row_sum(),
        ),
        Mistake(
            "not_normalised",
            "You take the exponential of the scores and stop there: each row still has to be "
            "divided by its own sum.",
            _with_weights(exp),
            row_sum(),
        ),
        Mistake(
            "scaled",
            "You divide the scores by sqrt(d). That comes in lesson 02; here the scores are the "
            "plain dot products.",
            lambda query, key, value: attend_all(query / query.shape[-1] ** 0.5, key, value),
            largest("weights"),
        ),
        Mistake(
            "roles_exchanged",
            "Queries and keys have changed places: row i of your scores belongs to key i. Row i "
            "should hold the dot products of query i with every key.",
            _roles_exchanged,
            also=(_roles_exchanged_twice,),
        ),
        Mistake(
            "swapped",
            "The two answers are in the other order: the output comes first, then the weights.",
            lambda query, key, value: attend_all(query, key, value)[::-1],
        ),
        Mistake(
            "keys_averaged",
            "Your weights are right, and your output averages the keys. The keys are for the match "
            "only; what is handed back are the values.",
            lambda query, key, value: attend_all(query, key, key),
        ),
        Mistake(
            "plain_mean",
            "Your weights are right, and your output does not use them: every query gets the plain "
            "mean of the values.",
            _plain_mean,
        ),
        Mistake(
            "weights_transposed",
            "Your weights are right, and they are transposed before they meet the values: each "
            "output then mixes the values with the weights of a column, not of its own row.",
            _weights_transposed,
        ),
        Mistake(
            "weights_returned_transposed",
            "Your output is right, and the weights that you return are transposed: row i belongs "
            "to query i, (query_len, key_len).",
            _returning(lambda weights: weights.transpose(0, 1)),
        ),
        Mistake(
            "logarithms",
            "You return the logarithm of the weights. The weights themselves are asked for.",
            _returning(lambda weights: weights.log()),
        ),
        Mistake(
            "shares_of_scores",
            "You divide by the sum of the row, and there is no exponential before it. Scores may "
            "be negative, and their sum may be near 0: exp makes every number positive first.",
            _shares_of(lambda scores: scores),
            also=(
                _shares_of(lambda scores: scores.abs()),
                _shares_of(lambda scores: scores.clamp(min=0)),
                _shares_of(lambda scores: scores**2),
            ),
        ),
        Mistake(
            "keepdim_missing",
            "You divide by the sums of the rows without keepdim=True. Shapes are matched from the "
            "right, so the sum of row i meets column i: with keepdim=True it meets its own row.",
            _with_weights(lambda scores: exp(scores) / exp(scores).sum(dim=-1)),
        ),
        Mistake(
            "softmax_twice",
            "You take the softmax of the weights once more. They are shares already, and a second "
            "softmax makes them nearly equal.",
            _with_weights(lambda scores: softmax(softmax(scores, dim=-1), dim=-1)),
            largest("weights"),
        ),
        Mistake(
            "softmax_again_for_output",
            "Your weights are right, and the output mixes the values with their softmax: that "
            "takes the softmax a second time.",
            _softmax_again,
        ),
        Mistake(
            "sigmoid",
            "You take the sigmoid of each score by itself. Nothing makes a row sum to 1 then: the "
            "keys of a query have to share, and the softmax does that.",
            _with_weights(sigmoid),
            row_sum(),
        ),
        Mistake(
            "hard_lookup",
            "All the weight goes to the best key. Here every key takes part, as much as the "
            "softmax says.",
            _with_weights(lambda s: one_hot(s.argmax(dim=-1), s.shape[-1]).to(s.dtype)),
        ),
        Mistake(
            "cosine",
            "You bring queries and keys to length 1. The scores are then cosines; the score of "
            "this lesson is the plain dot product.",
            _cosine,
        ),
        Mistake(
            "first_query_for_all",
            "All your queries get the weights of the first one. Row i belongs to query i.",
            _with_weights(lambda scores: softmax(scores[:1], dim=-1).expand(scores.shape)),
        ),
        Mistake(
            "scaled_output",
            "Your weights are right, and your output was made with scores divided by sqrt(d). "
            "torch's scaled_dot_product_attention divides unless it is given scale=1.0.",
            _scaled_output,
        ),
        Mistake(
            "output_alone",
            "You return the output alone. The weights belong to the answer as well.",
            lambda query, key, value: attend_all(query, key, value)[0],
        ),
    ),
)
