"""An exercise of one's own, whole: its check is run where submissions are graded."""

from course_lib.checks.exercise import Case, Exercise, Property, randn


def centre(key):  # the function that students write
    return key - key.mean(dim=-2, keepdim=True)


MISTAKES = """
over_features: dim=-2 -> dim=-1
    You subtract the mean of each key's features. Average each feature over the keys.
over_the_first_axis: dim=-2 -> dim=0
    You average over dimension 0, which in a batch are the sentences. Count from the end: dim=-2.
over_everything: dim=-2, keepdim=True ->
    You subtract one mean of all numbers. Each feature has its own, over the keys.
sums: mean -> sum
    You subtract the sum over the keys. The mean is asked for.
mean_alone: key - key.mean -> 0 * key + key.mean
    You return the mean. Subtract it from each key.
negated: lambda key: -centre(key)
    Your sign is turned round: it is the mean that is subtracted.
"""


def _cases(*shapes):
    return lambda generator: [Case((randn(generator, *shape),)) for shape in shapes]


EXERCISE = Exercise(
    lesson="02",
    number=6,
    reference=centre,
    returns={"centred": "the shape of key"},
    properties=(
        Property("each feature has its mean over the keys subtracted", 2, _cases((3, 2), (4, 4))),
        Property("leading dimensions stay apart", 1, _cases((2, 3, 4))),
    ),
    mistakes=MISTAKES,
)
