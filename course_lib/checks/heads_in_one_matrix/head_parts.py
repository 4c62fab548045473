"""Lesson 04, exercise 5: which rows and which columns belong to head i."""

from torch import float64

from course_lib.checks.exercise import Case, Exercise, Mistake, Property, randn
from course_lib.model.conversion import separate_heads


def head_parts(w_query, w_output, num_heads, i):
    own = _block(w_query, num_heads, i)
    return w_query[own], w_output[:, own]


def _block(weight, num_heads, i):
    head_dim = weight.shape[0] // num_heads
    return slice(i * head_dim, (i + 1) * head_dim)


def _with_block(block_of):
    """A version that takes another block: ``block_of(d_model, num_heads, i)``."""

    def version(w_query, w_output, num_heads, i):
        own = block_of(w_query.shape[0], num_heads, i)
        return w_query[own], w_output[:, own]

    return version


def _start_not_multiplied(d_model, num_heads, i):
    return slice(i, i + d_model // num_heads)


def _start_times_num_heads(d_model, num_heads, i):
    return slice(i * num_heads, i * num_heads + d_model // num_heads)


def _width_is_num_heads(d_model, num_heads, i):
    return slice(i * num_heads, (i + 1) * num_heads)


def _query_columns(w_query, w_output, num_heads, i):
    own = _block(w_query, num_heads, i)
    return w_query[:, own], w_output[:, own]


def _query_columns_transposed(w_query, w_output, num_heads, i):
    own = _block(w_query, num_heads, i)
    return w_query[:, own].transpose(0, 1), w_output[:, own]


def _output_rows(w_query, w_output, num_heads, i):
    own = _block(w_query, num_heads, i)
    return w_query[own], w_output[own]


def _output_rows_transposed(w_query, w_output, num_heads, i):
    own = _block(w_query, num_heads, i)
    return w_query[own], w_output[own].transpose(0, 1)


def _both_as_in_papers(w_query, w_output, num_heads, i):
    own = _block(w_query, num_heads, i)
    return w_query[:, own], w_output[own]


def _both_turned(*args):
    return tuple(part.transpose(0, 1) for part in _both_as_in_papers(*args))


def _matrices_exchanged(w_query, w_output, num_heads, i):
    return head_parts(w_output, w_query, num_heads, i)


def _counted_from_1(w_query, w_output, num_heads, i):
    return head_parts(w_query, w_output, num_heads, i - 1)


def _reader_transposed(*args):
    maker, reader = head_parts(*args)
    return maker, reader.transpose(0, 1)


def _reader_viewed(w_query, w_output, num_heads, i):
    own = w_output.reshape(num_heads, w_output.shape[0], -1)[i]
    return head_parts(w_query, w_output, num_heads, i)[0], own


def _from_the_end(w_query, w_output, num_heads, i):
    return head_parts(w_query, w_output, num_heads, -i % num_heads)


def _up_to_head_i(d_model, num_heads, i):
    return slice(0, (i + 1) * (d_model // num_heads))


def _one_short(d_model, num_heads, i):
    head_dim = d_model // num_heads
    return slice(i * head_dim, (i + 1) * head_dim - 1)


def _cases(*sizes, dtype=None):
    """(d_model, num_heads, i) each."""

    def make(generator):
        return [
            Case((*(randn(generator, d, d).to(dtype) for _ in range(2)), num_heads, i))
            for d, num_heads, i in sizes
        ]

    return make


EXERCISE = Exercise(
    lesson="04",
    number=5,
    reference=head_parts,
    returns={"maker": "(head_dim, d_model)", "reader": "(d_model, head_dim)"},
    library=(separate_heads,),
    properties=(
        Property(
            "the first part is what makes the queries of head i",
            2,
            _cases((4, 2, 1), (6, 3, 0), (6, 2, 1)),
            only="maker",
        ),
        Property(
            "the second part is what reads the output of head i",
            1,
            _cases((4, 2, 1), (6, 3, 0), (6, 2, 1)),
            only="reader",
        ),
        Property(
            "both hold for one head, for as many heads as features, and in float64",
            1,
            lambda generator: (
                _cases((3, 1, 0), (4, 4, 2), (8, 2, 1))(generator)
                + _cases((9, 3, 2), dtype=float64)(generator)
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "both_as_in_papers",
            "You take columns of W_Q and rows of W_O. That is right for the papers, which write "
            "x W; torch.nn.Linear stores the transposed matrix, so rows and columns change roles.",
            _both_as_in_papers,
        ),
        Mistake(
            "query_columns",
            "You take columns of w_query. A column says what all heads do with one input feature; "
            "head i is made by rows, one row for each of its outputs.",
            _query_columns,
        ),
        Mistake(
            "query_columns_transposed",
            "Your first part has the right shape and the wrong numbers: you took columns of "
            "w_query and turned them round. In the storage of torch.nn.Linear head i is made by "
            "rows.",
            _query_columns_transposed,
        ),
        Mistake(
            "output_rows",
            "You take rows of w_output. What head i found enters w_output as inputs, and the "
            "inputs of a torch.nn.Linear are its columns.",
            _output_rows,
        ),
        Mistake(
            "output_rows_transposed",
            "Your second part has the right shape and the wrong numbers: you took rows of w_output "
            "and turned them round. The inputs of a torch.nn.Linear are its columns.",
            _output_rows_transposed,
        ),
        Mistake(
            "both_turned",
            "You take columns of w_query and rows of w_output, and turn both round to fit. If you "
            "need a transpose to get the shape, you took the wrong ones: rows make, columns read.",
            _both_turned,
        ),
        Mistake(
            "matrices_exchanged",
            "Each part is taken from the other matrix: the maker is rows of w_query, the reader "
            "columns of w_output.",
            _matrices_exchanged,
        ),
        Mistake(
            "counted_from_1",
            "You count the heads from 1. Here i counts from 0: the block of head i begins at "
            "i * head_dim.",
            _counted_from_1,
        ),
        Mistake(
            "interleaved",
            "You take every num_heads-th feature, beginning with i. A head owns a block of "
            "neighbours, from i * head_dim to (i + 1) * head_dim.",
            _with_block(lambda d_model, num_heads, i: slice(i, None, num_heads)),
        ),
        Mistake(
            "start_not_multiplied",
            "Your block begins at i. Before head i there are i heads of head_dim features each: it "
            "begins at i * head_dim.",
            _with_block(_start_not_multiplied),
        ),
        Mistake(
            "start_times_num_heads",
            "Your block begins at i * num_heads. Each head before it takes head_dim rows: it "
            "begins at i * head_dim.",
            _with_block(_start_times_num_heads),
        ),
        Mistake(
            "width_is_num_heads",
            "Your block is num_heads wide. num_heads is how many blocks there are; each is "
            "head_dim = d_model // num_heads wide.",
            _with_block(_width_is_num_heads),
        ),
        Mistake(
            "swapped",
            "The two answers are in the other order: the part of w_query comes first.",
            lambda *args: head_parts(*args)[::-1],
        ),
        Mistake(
            "reader_transposed",
            "Your second part has the right numbers and is turned round: its rows should be the "
            "outputs of w_output, (d_model, head_dim). Columns keep that shape by themselves.",
            _reader_transposed,
        ),
        Mistake(
            "reader_viewed",
            "You view w_output as (num_heads, d_model, head_dim). A view only counts on, along the "
            "rows, so your reader holds pieces of the columns of all heads: cut between columns.",
            _reader_viewed,
        ),
        Mistake(
            "first_head_always",
            "You return the parts of head 0 whatever i is.",
            lambda w_query, w_output, num_heads, i: head_parts(w_query, w_output, num_heads, 0),
        ),
        Mistake(
            "from_the_end",
            "You count the heads from the end: an index of -i does. Head i is the one behind the "
            "first i.",
            _from_the_end,
        ),
        Mistake(
            "up_to_head_i",
            "Your block begins at 0, so it holds the heads before head i as well. It begins at "
            "i * head_dim.",
            _with_block(_up_to_head_i),
        ),
        Mistake(
            "one_short",
            "Your block lacks its last row and column. A slice ends before its end: "
            "i * head_dim : (i + 1) * head_dim is all of it.",
            _with_block(_one_short),
        ),
        Mistake(
            "four_wide",
            "Your block is four wide in every case. A head has head_dim = d_model // num_heads.",
            _with_block(lambda d_model, num_heads, i: slice(4 * i, 4 * i + 4)),
        ),
        Mistake(
            "maker_alone",
            "You return the maker alone. The part of w_output is asked for as well: return "
            "(maker, reader).",
            lambda *args: head_parts(*args)[0],
        ),
    ),
)
