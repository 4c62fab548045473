"""Lesson 13, exercise 4: many key heads put together by their mean."""

from course_lib.checks.exercise import Case, Exercise, Property, randn


def mean_key_heads(weight, num_heads, num_groups):
    heads = weight.unflatten(0, (num_groups, num_heads // num_groups, -1))
    return heads.mean(dim=1).flatten(0, 1)


MISTAKES = """
in_turns: (num_groups, num_heads // num_groups, -1) -> \
        (num_heads // num_groups, num_groups, -1) && mean(dim=1) -> mean(dim=0)
    Your groups take the heads in turns: of four heads, 0 and 2, and 1 and 3. Neighbours belong
    together, 0 and 1, and 2 and 3, because the query heads that share are neighbours.
neighbouring_rows: lambda weight, num_heads, num_groups: \
        weight.unflatten(0, (-1, num_heads // num_groups)).mean(dim=1)
    You average rows that lie next to each other in the matrix. These belong to one head. Cut the
    matrix into heads of head_dim rows first; row i of the one is averaged with row i of the other.
groups_for_heads: (num_groups, num_heads // num_groups, -1) -> \
        (num_heads // num_groups, num_groups, -1)
    You make groups of num_groups heads each. num_groups says how many groups there are; each has
    num_heads // num_groups heads.
summed: mean(dim=1) -> sum(dim=1)
    You add the heads of a group up. The mean divides by their number, or all scores grow.
first_head: mean(dim=1) -> select(1, 0)
    You keep the first head of each group and drop the others. Here all of them count: their mean.
last_head: mean(dim=1) -> select(1, -1)
    You keep the last head of each group and drop the others. Here all of them count: their mean.
median: mean(dim=1) -> quantile(0.5, dim=1)
or: mean(dim=1) -> median(dim=1).values
    You take the median of the heads of a group. The task asks for the mean.
largest: mean(dim=1) -> amax(dim=1)
    You take the largest number of the heads of a group. The task asks for the mean.
all_heads: mean(dim=1) -> mean(dim=(0, 1)).expand(num_groups, -1, -1)
    Each of your groups holds the mean of all heads. A group is the mean of its own heads only.
repeated: mean(dim=1) -> mean(dim=1).repeat_interleave(num_heads // num_groups, dim=0)
    You repeat each mean for all heads of its group, so that the matrix is as large as before. The
    mean stands there once: that is what makes the cache small.
within_heads: heads.mean(dim=1) -> heads.mean(dim=2, keepdim=True).expand_as(heads)[:, 0]
or: mean(dim=1) -> mean(dim=2)
    You average the rows within each head. The heads of a group are averaged with each other, and a
    head keeps its head_dim rows.
not_averaged: lambda weight, num_heads, num_groups: weight[: \
        len(weight) // num_heads * num_groups] + 0
    You return the first rows of the matrix: the first num_groups heads, and nothing of the others.
"""


# --- wrong versions -----------------------------------------------------------------------------


def _cases(*sizes):
    """(num_heads, num_groups, head_dim, d_model) each."""
    return lambda generator: [
        Case((randn(generator, heads * head_dim, d_model), heads, groups))
        for heads, groups, head_dim, d_model in sizes
    ]


EXERCISE = Exercise(
    lesson="13",
    number=4,
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
