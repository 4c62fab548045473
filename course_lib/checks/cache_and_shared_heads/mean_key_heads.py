"""Lesson 13, exercise 4: many key heads put together by their mean."""

from course_lib.checks.exercise import Case, Exercise, Mistake, Property, randn


def mean_key_heads(weight, num_heads, num_groups):
    heads = weight.unflatten(0, (num_groups, num_heads // num_groups, -1))
    return heads.mean(dim=1).flatten(0, 1)


# --- wrong versions -----------------------------------------------------------------------------


def _together(reduce):
    """Another way to make one head of the heads of a group, (groups, heads, head_dim, d_model)."""

    def version(weight, num_heads, num_groups):
        heads = weight.unflatten(0, (num_groups, num_heads // num_groups, -1))
        return reduce(heads).flatten(0, 1)

    return version


def _in_turns(weight, num_heads, num_groups):
    heads = weight.unflatten(0, (num_heads // num_groups, num_groups, -1))
    return heads.mean(dim=0).flatten(0, 1)


def _neighbouring_rows(weight, num_heads, num_groups):
    return weight.unflatten(0, (-1, num_heads // num_groups)).mean(dim=1)


def _groups_for_heads(weight, num_heads, num_groups):
    """num_groups heads are averaged, and not so many groups made."""
    return weight.unflatten(0, (num_heads // num_groups, num_groups, -1)).mean(dim=1).flatten(0, 1)


def _repeated(weight, num_heads, num_groups):
    mean = mean_key_heads(weight, num_heads, num_groups).unflatten(0, (num_groups, -1))
    return mean.repeat_interleave(num_heads // num_groups, dim=0).flatten(0, 1)


def _columns(weight, num_heads, num_groups):
    """The columns, (d_model), are taken for the heads."""
    rows = len(weight) // num_heads * num_groups
    share = num_heads // num_groups
    cut = weight.T.reshape(num_groups, share, -1).mean(dim=1)
    return cut.reshape(-1)[: rows * weight.shape[1]].reshape(rows, -1)


def _all_heads(weight, num_heads, num_groups):
    heads = weight.unflatten(0, (num_heads, -1))
    return heads.mean(dim=0).repeat(num_groups, 1)


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
    mistakes=(
        Mistake(
            "in_turns",
            "Your groups take the heads in turns: of four heads, 0 and 2, and 1 and 3. Neighbours "
            "belong together, 0 and 1, and 2 and 3, because the query heads that share are "
            "neighbours.",
            _in_turns,
        ),
        Mistake(
            "neighbouring_rows",
            "You average rows that lie next to each other in the matrix. These belong to one head. "
            "Cut the matrix into heads of head_dim rows first; row i of the one is averaged with "
            "row i of the other.",
            _neighbouring_rows,
        ),
        Mistake(
            "groups_for_heads",
            "You make groups of num_groups heads each. num_groups says how many groups there are; "
            "each has num_heads // num_groups heads.",
            _groups_for_heads,
        ),
        Mistake(
            "summed",
            "You add the heads of a group up. The mean divides by their number, or all scores "
            "grow.",
            _together(lambda heads: heads.sum(dim=1)),
        ),
        Mistake(
            "first_head",
            "You keep the first head of each group and drop the others. Here all of them count: "
            "their mean.",
            _together(lambda heads: heads[:, 0]),
        ),
        Mistake(
            "last_head",
            "You keep the last head of each group and drop the others. Here all of them count: "
            "their mean.",
            _together(lambda heads: heads[:, -1]),
        ),
        Mistake(
            "median",
            "You take the median of the heads of a group. The task asks for the mean.",
            _together(lambda heads: heads.quantile(0.5, dim=1)),
            also=(_together(lambda heads: heads.median(dim=1).values),),
        ),
        Mistake(
            "largest",
            "You take the largest number of the heads of a group. The task asks for the mean.",
            _together(lambda heads: heads.amax(dim=1)),
        ),
        Mistake(
            "all_heads",
            "Each of your groups holds the mean of all heads. A group is the mean of its own heads "
            "only.",
            _all_heads,
        ),
        Mistake(
            "repeated",
            "You repeat each mean for all heads of its group, so that the matrix is as large as "
            "before. The mean stands there once: that is what makes the cache small.",
            _repeated,
        ),
        Mistake(
            "within_heads",
            "You average the rows within each head. The heads of a group are averaged with each "
            "other, and a head keeps its head_dim rows.",
            _together(lambda heads: heads.mean(dim=2, keepdim=True).expand_as(heads)[:, 0]),
            also=(_together(lambda heads: heads.mean(dim=2)),),
        ),
        Mistake(
            "not_averaged",
            "You return the first rows of the matrix: the first num_groups heads, and nothing of "
            "the others.",
            lambda weight, num_heads, num_groups: (
                weight[: len(weight) // num_heads * num_groups] + 0
            ),
        ),
    ),
)
