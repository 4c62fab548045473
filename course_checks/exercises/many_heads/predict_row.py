"""Lesson 03, exercise 6: what a counting argument predicts for the k-pointer task."""

from course_checks.exercise import Case, Exercise, Property


def predict_row(head_counts, num_pointers, vocab_size):
    rows = []
    for count in head_counts:
        fetched = min(count, num_pointers)
        guessed = (num_pointers - fetched) / vocab_size
        rows.append((fetched + guessed) / num_pointers)
    return rows


MISTAKES = """
dictionary: lambda head_counts, *task: \
        dict(zip(head_counts, predict_row(head_counts, *task), strict=True))
    You return a dictionary. A list is asked for, one accuracy for each entry of head_counts, in
    their order.
no_guess: _each(lambda h, k, v: _fetched(h, k) / k)
    You count the symbols that no head fetched as wrong. Whoever guesses among vocab_size symbols is
    right once in vocab_size times.
more_than_all: _each(lambda h, k, v: (h + (k - h) / v) / k)
    You give every head a symbol of its own even when there are more heads than pointers: no more
    than num_pointers symbols can be fetched.
guess_on_top: _each(lambda h, k, v: _fetched(h, k) / k + 1 / v)
or: _each(lambda h, k, v: min(1, h / k + 1 / v))
    You add the luck of a guess to all the symbols. Only those are guessed that no head has fetched.
one_guess: _each(lambda h, k, v: (_fetched(h, k) + (h < k) / v) / k)
    You count one guess however many symbols are missing. Each symbol that no head fetched is
    guessed, and each guess may be right.
not_divided: _each(lambda h, k, v: _fetched(h, k) + (k - _fetched(h, k)) / v)
    You count symbols: accuracy is the share of the num_pointers symbols that are right.
all_or_nothing: _each(lambda h, k, v: (1 / v) ** (k - _fetched(h, k)))
    You ask for the chance that all symbols are right at once. The accuracy here counts each symbol
    by itself.
guess_among_pointers: _each(lambda h, k, v: (_fetched(h, k) + (k - _fetched(h, k)) / k) / k)
    You let a guess choose among num_pointers symbols. Nobody knows which symbols the items hold: a
    guess chooses among all vocab_size.
percent: _each(lambda h, k, v: 100 * (_fetched(h, k) + (k - _fetched(h, k)) / v) / k)
    You answer in percent. An accuracy is a share here, from 0 to 1.
head_counts_sorted: lambda head_counts, *task: sorted(predict_row(head_counts, *task))
    Your answers are sorted. They should come in the order of head_counts.
heads_over_pointers: _each(lambda h, k, v: h / k)
    You divide the number of heads by the number of pointers. More heads than pointers fetch no more
    than there is, and what is left over is guessed.
max_for_min: _each(lambda h, k, v: (max(h, k) + (k - max(h, k)) / v) / k)
    You take the larger of heads and pointers. As many symbols are fetched as the smaller of the two
    says.
guess_among_the_rest: _among_the_rest(1) || _among_the_rest(-math.inf)
    You let a guess choose among the symbols that no head has fetched. A symbol may occur several
    times in a row of items: a guess chooses among all vocab_size.
spare_heads_guess: _each(lambda h, k, v: (_fetched(h, k) + abs(h - k) / v) / k)
    You count guesses for heads that find nothing left. Only symbols that no head has fetched are
    guessed: with more heads than pointers there are none.
whole_numbers: _each(lambda h, k, v: (_fetched(h, k) + (k - _fetched(h, k)) // v) // k)
or: _each(lambda h, k, v: (_fetched(h, k) + (k - _fetched(h, k)) // v) / k)
or: _each(lambda h, k, v: (_fetched(h, k) + (k - _fetched(h, k)) / v) // k)
    You divide with //, which cuts the result to a whole number: an accuracy is a share, and needs
    /.
numbers_of_the_example: _each(lambda h, k, v: (_fetched(h, 4) + (4 - _fetched(h, 4)) / 16) / 4)
    You wrote the 4 pointers and the 16 symbols of the example into the function. Use its arguments.
first_only: lambda head_counts, *task: predict_row(head_counts[:1], *task)
    You answer for the first head count alone. Does a return stand inside the loop?
"""


def _each(accuracy):
    """A version that predicts ``accuracy(heads, pointers, vocab_size)`` for each head count."""
    return lambda head_counts, *task: [accuracy(heads, *task) for heads in head_counts]


def _among_the_rest(least):
    """A guess among the symbols that are not fetched, ``least`` of them or more."""
    return _each(
        lambda h, k, v: (_fetched(h, k) + (k - _fetched(h, k)) / max(v - _fetched(h, k), least)) / k
    )


def _fetched(h, k):
    return min(h, k)


def _cases(*tasks):
    """(head_counts, num_pointers, vocab_size) each."""
    return lambda generator: [
        Case(task, label="head_counts {}, num_pointers {}, vocab_size {}".format(*task))
        for task in tasks
    ]


EXERCISE = Exercise(
    reference=predict_row,
    returns={"accuracies": "one number for each head count"},
    kind="numbers",
    properties=(
        Property(
            "with as many heads as pointers or more, every symbol is right",
            1,
            _cases(([2], 2, 16), ([4, 5, 32], 4, 16)),
        ),
        Property(
            "with fewer, each head fetches one symbol and the others are guessed",
            2,
            _cases(([1], 3, 16), ([1, 2, 3], 4, 16)),
        ),
        Property(
            "the same holds for any task, and for head counts in any order",
            2,
            _cases(([8, 1, 2], 3, 2), ([5, 1, 2, 7, 3], 6, 10), ([1, 4], 1, 3), ([3, 2], 5, 1)),
        ),
    ),
    mistakes=MISTAKES,
)
