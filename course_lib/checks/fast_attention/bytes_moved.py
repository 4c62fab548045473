"""Lesson 12, exercise 4: how many bytes each form of attention moves at least."""

from course_lib.checks.exercise import Case, Exercise, Mistake, Property


def bytes_moved(num_heads, query_len, key_len, head_dim, bytes_per_number):
    ends = 2 * query_len * head_dim + 2 * key_len * head_dim  # query and output, key and value
    table = 4 * query_len * key_len  # scores written and read, weights written and read
    unit = num_heads * bytes_per_number
    return [unit * (ends + table), unit * ends]


# --- wrong versions -----------------------------------------------------------------------------


def _bytes_moved_with(
    ends=lambda q, k, d: 2 * q * d + 2 * k * d,
    table=lambda q, k, d: 4 * q * k,
    fused_table=lambda q, k, d: 0,
    unit=lambda h, size: h * size,
    heads_of_table=lambda h: 1,
):
    """A version that counts one of its parts otherwise."""

    def version(num_heads, query_len, key_len, head_dim, bytes_per_number):
        sizes = query_len, key_len, head_dim
        factor = unit(num_heads, bytes_per_number)
        around, passes = ends(*sizes), table(*sizes) * heads_of_table(num_heads)
        return [factor * (around + passes), factor * (around + fused_table(*sizes))]

    return version


def _cases(*sizes):
    return lambda generator: [
        Case(
            size,
            label="{} heads, {} queries, {} keys, {} features, {} bytes a number".format(*size),
        )
        for size in sizes
    ]


EXERCISE = Exercise(
    lesson="12",
    number=4,
    reference=bytes_moved,
    returns={"numbers": "[explicit, fused], in bytes"},
    kind="numbers",
    properties=(
        Property(
            "one head, as many queries as keys",
            2,
            _cases((1, 4, 4, 2, 4), (1, 7, 7, 3, 4), (1, 1024, 1024, 64, 4)),
        ),
        Property(
            "other numbers of keys than of queries",
            1,
            _cases((1, 2, 5, 3, 4), (1, 1, 100, 16, 4), (1, 6, 2, 5, 4)),
        ),
        Property(
            "several heads, and numbers of 2 or 8 bytes",
            1,
            _cases((3, 4, 4, 2, 4), (2, 3, 5, 4, 2), (5, 2, 7, 3, 8)),
        ),
    ),
    mistakes=(
        Mistake(
            "table_once",
            "You count the table once. It passes four times: scores written, scores read, weights "
            "written, weights read.",
            _bytes_moved_with(table=lambda q, k, d: q * k),
        ),
        Mistake(
            "table_twice",
            "You count the table twice. It passes four times: the scores are written and read, and "
            "so are the weights.",
            _bytes_moved_with(table=lambda q, k, d: 2 * q * k),
        ),
        Mistake(
            "table_three_times",
            "You count the table three times. Scores written, scores read, weights written, "
            "weights read: four.",
            _bytes_moved_with(table=lambda q, k, d: 3 * q * k),
        ),
        Mistake(
            "output_forgotten",
            "You count query, key and value, which are read. The output is written too.",
            _bytes_moved_with(ends=lambda q, k, d: q * d + 2 * k * d),
        ),
        Mistake(
            "value_forgotten",
            "You count one of key and value. Both are read.",
            _bytes_moved_with(ends=lambda q, k, d: 2 * q * d + k * d),
        ),
        Mistake(
            "square",
            "You count as if there were as many keys as queries. Key and value have key_len rows, "
            "query and output have query_len, and the table query_len times key_len.",
            _bytes_moved_with(
                ends=lambda q, k, d: 4 * q * d,
                table=lambda q, k, d: 4 * q * q,
            ),
            also=(
                _bytes_moved_with(ends=lambda q, k, d: 4 * q * d),
                _bytes_moved_with(table=lambda q, k, d: 4 * q * q),
                _bytes_moved_with(ends=lambda q, k, d: 4 * k * d),
            ),
        ),
        Mistake(
            "keys_and_queries_exchanged",
            "You count the output with the keys. It has a row for each query: two tensors have "
            "key_len rows, and two have query_len.",
            _bytes_moved_with(ends=lambda q, k, d: q * d + 3 * k * d),
        ),
        Mistake(
            "numbers_not_bytes",
            "You count numbers. Each takes bytes_per_number bytes.",
            _bytes_moved_with(unit=lambda h, size: h),
        ),
        Mistake(
            "always_four_bytes",
            "You count 4 bytes for each number. In bfloat16 it is 2, in float64 it is 8: use "
            "bytes_per_number.",
            _bytes_moved_with(unit=lambda h, size: 4 * h),
        ),
        Mistake(
            "one_head",
            "You count one head. Each of num_heads has its own table, and its own queries, keys "
            "and values.",
            _bytes_moved_with(unit=lambda h, size: size),
        ),
        Mistake(
            "heads_squared",
            "You multiply the table by the number of heads twice.",
            _bytes_moved_with(heads_of_table=lambda h: h),
        ),
        Mistake(
            "operations",
            "You count operations: each score is a sum over head_dim products. The table that "
            "moves holds one number for each score.",
            _bytes_moved_with(table=lambda q, k, d: 4 * q * k * d),
        ),
        Mistake(
            "fused_with_table",
            "You let the fused form write the table once. It keeps each tile beside the arithmetic "
            "and never sends it to memory.",
            _bytes_moved_with(fused_table=lambda q, k, d: q * k),
            also=(
                _bytes_moved_with(fused_table=lambda q, k, d: 2 * q * k),
                _bytes_moved_with(fused_table=lambda q, k, d: 4 * q * k),
            ),
        ),
        Mistake(
            "exchanged",
            "You return the two in the other order: explicit first, fused second.",
            lambda *sizes: bytes_moved(*sizes)[::-1],
        ),
        Mistake(
            "table_alone",
            "You count the table alone for the explicit form. Query, key, value and output move as "
            "well.",
            lambda h, q, k, d, size: [h * size * 4 * q * k, bytes_moved(h, q, k, d, size)[1]],
        ),
    ),
)
