"""Lesson 12, exercise 4: how many bytes each form of attention moves at least."""

from course_checks.exercise import Case, Exercise, Property


def bytes_moved(num_heads, query_len, key_len, head_dim, bytes_per_number):
    ends = 2 * query_len * head_dim + 2 * key_len * head_dim  # query and output, key and value
    table = 4 * query_len * key_len  # scores written and read, weights written and read
    unit = num_heads * bytes_per_number
    return [unit * (ends + table), unit * ends]


MISTAKES = """
table_once: 4 * query_len * key_len -> query_len * key_len || 2 * query_len * key_len || \
        3 * query_len * key_len
    You count the table too few times. It passes four times: scores written and read, weights too.
output_forgotten: 2 * query_len * head_dim -> query_len * head_dim
    You count query, key and value, which are read. The output is written too.
value_forgotten: 2 * key_len * head_dim -> key_len * head_dim
    You count one of key and value. Both are read.
square: key_len * head_dim -> query_len * head_dim && query_len * key_len -> query_len * query_len
or: key_len * head_dim -> query_len * head_dim
or: query_len * key_len -> query_len * query_len
or: 2 * query_len * head_dim -> 2 * key_len * head_dim
    You count as if there were as many keys as queries. Key and value have key_len rows, query and
    output have query_len.
keys_and_queries_exchanged: 2 * query_len * head_dim + 2 * key_len * head_dim -> \
        query_len * head_dim + 3 * key_len * head_dim
    You count the output with the keys. It has a row for each query.
numbers_not_bytes: * bytes_per_number ->
    You count numbers. Each takes bytes_per_number bytes.
always_four_bytes: * bytes_per_number -> * 4
    You count 4 bytes for each number. In float64 it is 8: use bytes_per_number.
one_head: num_heads * bytes_per_number -> bytes_per_number
or: [unit * (ends + table), -> [unit * ends + bytes_per_number * table,
    You count the table of one head. Each of num_heads has its own.
heads_squared: ends + table -> ends + num_heads * table
    You multiply the table by the number of heads twice.
operations: 4 * query_len * key_len -> 4 * query_len * key_len * head_dim
    You count operations, sums over head_dim. The table holds one number for each score.
fused_with_table: unit * ends] -> unit * (ends + table // 4)] || unit * (ends + table // 2)] || \
        unit * (ends + table)]
    You let the fused form write the table. It keeps each tile and never sends it to memory.
exchanged: [unit * (ends + table), unit * ends] -> [unit * ends, unit * (ends + table)]
    You return the two in the other order: explicit first, fused second.
table_alone: ends + table -> table
    You count the table alone for the explicit form. Query, key, value and output move as well.
"""


def _cases(*sizes):
    return lambda generator: [
        Case(
            size,
            label="{} heads, {} queries, {} keys, {} features, {} bytes a number".format(*size),
        )
        for size in sizes
    ]


EXERCISE = Exercise(
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
    mistakes=MISTAKES,
)
