"""Lesson 03, exercise 2: W_O mixes the heads, and its output is a sum of what each head adds."""

from torch import float64, stack, zeros_like

from course_lib.checks.exercise import Case, Exercise, Mutant, Property, randn
from course_lib.checks.many_heads.concatenate import concatenate


def mix_heads(heads, w_out):
    output = concatenate(heads) @ w_out.transpose(-2, -1)  # (..., T, d_model)
    return output, _added_through(_columns, heads, w_out)


def _added_through(block_of, heads, w_out):
    """What each head adds, when ``block_of(w_out, i, head_dim)`` is what it owns of w_out."""
    size = heads.shape[-1]
    blocks = [block_of(w_out, i, size) for i in range(len(heads))]
    return stack([head @ block.T for head, block in zip(heads, blocks, strict=True)])


def _columns(w_out, i, size):
    return w_out[:, i * size : (i + 1) * size]


def _rows(w_out, i, size):
    return w_out[i * size : (i + 1) * size].T


def _with_blocks(block_of):
    """A version whose output is the sum of what its heads add."""

    def version(heads, w_out):
        added = _added_through(block_of, heads, w_out)
        return added.sum(dim=0), added

    return version


def _reshaped_blocks(w_out, i, size):
    return w_out.reshape(-1, *w_out.shape[:1], size)[i]


def _every_nth(w_out, i, size):
    return w_out[:, i :: w_out.shape[1] // size]


def _wrong_rows_right_output(heads, w_out):
    return mix_heads(heads, w_out)[0], _added_through(_rows, heads, w_out)


def _own_slices(heads):
    """Each head in its own slice of the joined features, zeros elsewhere."""
    slices = [zeros_like(heads) for _ in heads]
    for i, part in enumerate(slices):
        part[i] = heads[i]
    return stack([concatenate(part) for part in slices])


def _whole_each(heads, w_out):
    output, added = mix_heads(heads, w_out)
    return output, stack([output] * len(heads))


def _mean(heads, w_out):
    _, added = mix_heads(heads, w_out)
    return added.mean(dim=0), added


def _cases(*sizes, dtype=None):
    """(shape of the heads, d_model) each."""

    def make(generator):
        cases = []
        for shape, d_model in sizes:
            joined = shape[0] * shape[-1]
            w_out = randn(generator, d_model, joined) / joined**0.5
            cases.append(Case((randn(generator, *shape).to(dtype), w_out.to(dtype))))
        return cases

    return make


EXERCISE = Exercise(
    lesson="03",
    number=2,
    reference=mix_heads,
    returns={"output": "(..., T, d_model)", "contributions": "(num_heads, ..., T, d_model)"},
    properties=(
        Property(
            "the output is the joined heads times W_O, as torch.nn.Linear does it",
            1,
            _cases(((2, 3, 2), 5), ((3, 2, 2), 4)),
            only="output",
        ),
        Property(
            "contribution i is head i times its own columns of W_O",
            2,
            _cases(((2, 3, 2), 5), ((3, 2, 2), 4)),
            only="contributions",
        ),
        Property(
            "the same holds when W_O is square, where shapes cannot tell a mistake",
            1,
            _cases(((2, 3, 2), 4), ((3, 3, 3), 9)),
        ),
        Property(
            "the same holds with leading dimensions, for one head, and in float64",
            1,
            lambda generator: (
                _cases(((2, 2, 3, 2), 4), ((1, 3, 4), 4), ((3, 3, 2, 3, 2), 7))(generator)
                + _cases(((2, 3, 2), 4), dtype=float64)(generator)
            ),
        ),
    ),
    mutants=(
        Mutant(
            "not_transposed",
            "You multiply by W_O as it is. torch.nn.Linear stores a weight as (out_features, "
            "in_features), so its columns belong to what comes in, here the heads. Untransposed it "
            "fits only when it is square, and is wrong even then.",
            lambda heads, w_out: mix_heads(heads, w_out.T),
        ),
        Mutant(
            "rows_of_w_out",
            "Your output is right, and contribution i goes through rows of W_O. What comes in "
            "meets the columns of nn.Linear's weight: head i owns columns i * head_dim to "
            "(i + 1) * head_dim.",
            _wrong_rows_right_output,
        ),
        Mutant(
            "without_w_out",
            "You hand back the joined heads without W_O. Then each head is stuck in its own slice "
            "of the output, and what one head found cannot reach the features of another.",
            lambda heads, w_out: (concatenate(heads), _own_slices(heads)),
        ),
        Mutant(
            "first_block_for_all",
            "All your heads go through the columns of head 0. Every head has its own block of W_O: "
            "with a common one the heads are only added up.",
            _with_blocks(lambda w_out, i, size: _columns(w_out, 0, size)),
        ),
        Mutant(
            "every_nth_column",
            "Head i gets every num_heads-th column of W_O, from column i on. The joined heads lie "
            "one after the other, so head i owns a whole block of head_dim columns.",
            _with_blocks(_every_nth),
        ),
        Mutant(
            "reshaped_w_out",
            "You reshape W_O to (num_heads, d_model, head_dim). A reshape counts along the rows, "
            "so the blocks hold the wrong numbers: split the last dimension in two first, "
            "(d_model, num_heads, head_dim), or slice the columns.",
            _with_blocks(_reshaped_blocks),
        ),
        Mutant(
            "whole_output_each",
            "Your contributions are the whole output, once for each head. They should add up to "
            "it: contribution i comes from head i alone.",
            _whole_each,
        ),
        Mutant(
            "mean_of_contributions",
            "Your contributions are right, and your output is their mean. A product with the "
            "joined heads adds them up.",
            _mean,
        ),
        Mutant(
            "swapped",
            "The two answers are in the other order: the output comes first.",
            lambda heads, w_out: mix_heads(heads, w_out)[::-1],
        ),
    ),
)
