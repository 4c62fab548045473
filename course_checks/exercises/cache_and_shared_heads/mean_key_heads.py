"""Lesson 13, exercise 4: many key heads put together by their mean."""

from course_checks.exercise import Case, Exercise, Property, randn


def mean_key_heads(weight, num_heads, num_groups):
    heads = weight.unflatten(0, (num_groups, num_heads // num_groups, -1))
    return heads.mean(dim=1).flatten(0, 1)


MISTAKES = """
in_turns: (num_groups, num_heads // num_groups, -1) -> \
        (num_heads // num_groups, num_groups, -1) && mean(dim=1) -> mean(dim=0)
    Your groups take the heads in turns, 0 and 2, 1 and 3. Neighbours belong together: 0 and 1.
neighbouring_rows: lambda weight, num_heads, num_groups: \
        weight.unflatten(0, (-1, num_heads // num_groups)).mean(dim=1)
    You average neighbouring rows, which belong to one head. Cut the matrix into heads of head_dim
    rows first.
one_row: lambda weight, num_heads, num_groups: weight.unflatten(0, (num_groups, -1)).mean(dim=1)
    You average all rows of a group into one. A group is a head again, with head_dim rows.
head_dim_of_d_model: lambda weight, num_heads, num_groups: weight.reshape(-1, num_heads // \
        num_groups, weight.shape[1] // num_heads, weight.shape[1]).mean(dim=1).flatten(0, 1)
    Your head_dim is d_model // num_heads. The rows say how many a head has: len(weight) //
    num_heads.
groups_for_heads: (num_groups, num_heads // num_groups, -1) -> \
        (num_heads // num_groups, num_groups, -1)
    You make groups of num_groups heads. There are num_groups of them, of num_heads // num_groups.
summed: mean(dim=1) -> sum(dim=1)
    You add the heads of a group up. The mean divides by their number, or all scores grow.
first_head: mean(dim=1) -> select(1, 0) || select(1, -1)
    You keep one head of each group and drop the others. Here all of them count: their mean.
median: mean(dim=1) -> quantile(0.5, dim=1) || median(dim=1).values || amax(dim=1)
    You take the median of the heads of a group, or the largest numbers. The task asks for the mean.
all_heads: mean(dim=1) -> mean(dim=(0, 1)).expand(num_groups, -1, -1)
    Each of your groups holds the mean of all heads. A group is the mean of its own heads only.
repeated: mean(dim=1) -> mean(dim=1).repeat_interleave(num_heads // num_groups, dim=0)
    You repeat each mean for all heads of its group. It stands there once: that makes the cache
    small.
within_heads: heads.mean(dim=1) -> heads.mean(dim=2, keepdim=True).expand_as(heads)[:, 0]
or: mean(dim=1) -> mean(dim=2)
    You average the rows within each head. The heads of a group are averaged with each other.
not_averaged: lambda weight, num_heads, num_groups: weight[: \
        len(weight) // num_heads * num_groups] + 0
    You return the first num_groups heads, and nothing of the others.
"""


def _cases(*sizes):
    """(num_heads, num_groups, head_dim, d_model) each."""
    return lambda generator: [
        Case((randn(generator, heads * head_dim, d_model), heads, groups))
        for heads, groups, head_dim, d_model in sizes
    ]


EXERCISE = Exercise(
    reference=mean_key_heads,
    returns={"shared": "(num_groups * head_dim, d_model)"},
    properties=(
        Property("four heads become two", 2, _cases((4, 2, 3, 5), (4, 2, 2, 8))),
        Property("groups of three, and three groups", 1, _cases((6, 2, 2, 4), (6, 3, 3, 18))),
        Property(
            "one group of all, and each head by itself", 1, _cases((3, 1, 2, 6), (3, 3, 4, 5))
        ),
    ),
    mistakes=MISTAKES,
)
