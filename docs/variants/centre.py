"""Lesson 02, exercise 7: keys around their mean."""

from course_checks.exercise import Exercise, Property, random_cases


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

EXERCISE = Exercise(
    reference=centre,
    returns={"centred": "the shape of key"},
    properties=(Property("the mean of the keys is 0", 3, random_cases(((3, 2),), ((2, 3, 4),))),),
    mistakes=MISTAKES,
)
