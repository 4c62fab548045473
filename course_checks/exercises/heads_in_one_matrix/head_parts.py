"""Lesson 04, exercise 5: which rows and which columns belong to head i."""

from torch import float64

from course_checks.exercise import Exercise, Property, all_of, random_cases
from course_lib.model.conversion import separate_heads


def head_parts(w_query, w_output, num_heads, i):
    own = _block(w_query, num_heads, i)
    return w_query[own], w_output[:, own]


MISTAKES = """
both_as_in_papers: w_query[own], w_output[:, own] -> w_query[:, own], w_output[own]
    You take columns of W_Q and rows of W_O. That is right for the papers, which write x W;
    torch.nn.Linear stores the transposed matrix, so rows and columns change roles.
query_columns: w_query[own] -> w_query[:, own]
    You take columns of w_query. A column says what all heads do with one input feature; head i is
    made by rows, one row for each of its outputs.
query_columns_transposed: w_query[own] -> w_query[:, own].transpose(0, 1)
    Your first part has the right shape and the wrong numbers: you took columns of w_query and
    turned them round. In the storage of torch.nn.Linear head i is made by rows.
output_rows: w_output[:, own] -> w_output[own]
    You take rows of w_output. What head i found enters w_output as inputs, and the inputs of a
    torch.nn.Linear are its columns.
output_rows_transposed: w_output[:, own] -> w_output[own].transpose(0, 1)
    Your second part has the right shape and the wrong numbers: you took rows of w_output and turned
    them round. The inputs of a torch.nn.Linear are its columns.
both_turned: w_query[own], w_output[:, own] -> w_query[:, own].T, w_output[own].T
    You take columns of w_query and rows of w_output, and turn both round to fit. If you need a
    transpose to get the shape, you took the wrong ones: rows make, columns read.
matrices_exchanged: w_query[own], w_output[:, own] -> w_output[own], w_query[:, own]
    Each part is taken from the other matrix: the maker is rows of w_query, the reader columns of
    w_output.
counted_from_1: own = _block(w_query, num_heads, i) -> own = _block(w_query, num_heads, i - 1)
    You count the heads from 1. Here i counts from 0: the block of head i begins at i * head_dim.
interleaved: _block(w_query, num_heads, i) -> slice(i, None, num_heads)
    You take every num_heads-th feature, beginning with i. A head owns a block of neighbours, from i
    * head_dim to (i + 1) * head_dim.
start_not_multiplied: _block(w_query, num_heads, i) -> slice(i, i + w_query.shape[0] // num_heads)
    Your block begins at i. Before head i there are i heads of head_dim features each: it begins at
    i * head_dim.
start_times_num_heads: _block(w_query, num_heads, i) -> \
        slice(i * num_heads, i * num_heads + w_query.shape[0] // num_heads)
    Your block begins at i * num_heads. Each head before it takes head_dim rows: it begins at i *
    head_dim.
width_is_num_heads: _block(w_query, num_heads, i) -> slice(i * num_heads, (i + 1) * num_heads)
    Your block is num_heads wide. num_heads is how many blocks there are; each is head_dim = d_model
    // num_heads wide.
swapped: w_query[own], w_output[:, own] -> w_output[:, own], w_query[own]
    The two answers are in the other order: the part of w_query comes first.
reader_transposed: w_output[:, own] -> w_output[:, own].transpose(0, 1)
    Your second part has the right numbers and is turned round: its rows should be the outputs of
    w_output, (d_model, head_dim). Columns keep that shape by themselves.
reader_viewed: w_output[:, own] -> w_output.reshape(num_heads, w_output.shape[0], -1)[i]
    You view w_output as (num_heads, d_model, head_dim). A view only counts on, along the rows, so
    your reader holds pieces of the columns of all heads: cut between columns.
first_head_always: _block(w_query, num_heads, i) -> _block(w_query, num_heads, 0)
    You return the parts of head 0 whatever i is.
from_the_end: _block(w_query, num_heads, i) -> _block(w_query, num_heads, -i % num_heads)
    You count the heads from the end: an index of -i does. Head i is the one behind the first i.
up_to_head_i: _block(w_query, num_heads, i) -> slice(0, (i + 1) * (w_query.shape[0] // num_heads))
    Your block begins at 0, so it holds the heads before head i as well. It begins at i * head_dim.
one_short: w_query[own], w_output[:, own] -> w_query[own][:-1], w_output[:, own][:, :-1]
    Your block lacks its last row and column. A slice ends before its end: i * head_dim : (i + 1) *
    head_dim is all of it.
four_wide: _block(w_query, num_heads, i) -> slice(4 * i, 4 * i + 4)
    Your block is four wide in every case. A head has head_dim = d_model // num_heads.
maker_alone: w_query[own], w_output[:, own] -> w_query[own]
    You return the maker alone. The part of w_output is asked for as well: return (maker, reader).
"""


def _block(weight, num_heads, i):
    head_dim = weight.shape[0] // num_heads
    return slice(i * head_dim, (i + 1) * head_dim)


EXERCISE = Exercise(
    reference=head_parts,
    returns={"maker": "(head_dim, d_model)", "reader": "(d_model, head_dim)"},
    library=(separate_heads,),
    properties=(
        Property(
            "the first part is what makes the queries of head i",
            2,
            random_cases(((4, 4), (4, 4), 2, 1), ((6, 6), (6, 6), 3, 0), ((6, 6), (6, 6), 2, 1)),
            only="maker",
        ),
        Property(
            "the second part is what reads the output of head i",
            1,
            random_cases(((4, 4), (4, 4), 2, 1), ((6, 6), (6, 6), 3, 0), ((6, 6), (6, 6), 2, 1)),
            only="reader",
        ),
        Property(
            "both hold for one head, for as many heads as features, and in float64",
            1,
            all_of(
                random_cases(
                    ((3, 3), (3, 3), 1, 0),
                    ((4, 4), (4, 4), 4, 2),
                    ((8, 8), (8, 8), 2, 1),
                    ((12, 12), (12, 12), 6, 5),
                ),
                random_cases(((9, 9), (9, 9), 3, 2), dtype=float64),
            ),
        ),
    ),
    mistakes=MISTAKES,
)
