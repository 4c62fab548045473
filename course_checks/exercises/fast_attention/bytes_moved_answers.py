"""Answers to bytes_moved (lesson 12, exercise 4), right and wrong, as students write them."""

import torch


# wrong: num_heads is never used
# named: one_head
def a_single_head(num_heads, query_len, key_len, head_dim, bytes_per_number):
    fused = (2 * query_len + 2 * key_len) * head_dim * bytes_per_number
    return [fused + 4 * query_len * key_len * bytes_per_number, fused]


# wrong: everything has query_len rows
# named: square
def all_four_of_query_len(num_heads, query_len, key_len, head_dim, bytes_per_number):
    four = 4 * query_len * head_dim * num_heads * bytes_per_number
    return [four + 4 * query_len**2 * num_heads * bytes_per_number, four]


# wrong: four bytes whatever is asked
# named: always_four_bytes
def float32(num_heads, query_len, key_len, head_dim, bytes_per_number):
    fused = 4 * num_heads * (2 * query_len + 2 * key_len) * head_dim
    return [fused + 4 * num_heads * 4 * query_len * key_len, fused]


# wrong: fused, explicit
# named: exchanged
def fused_first(num_heads, query_len, key_len, head_dim, bytes_per_number):
    ends = 2 * head_dim * (query_len + key_len) * num_heads * bytes_per_number
    return [ends, ends + 4 * query_len * key_len * num_heads * bytes_per_number]


# wrong: the fused form writes its table
# named: fused_with_table
def fused_writes_weights(num_heads, query_len, key_len, head_dim, bytes_per_number):
    ends = 2 * head_dim * (query_len + key_len)
    pairs = query_len * key_len
    unit = num_heads * bytes_per_number
    return [unit * (ends + 4 * pairs), unit * (ends + pairs)]


# wrong: numbers, not bytes
# named: numbers_not_bytes
def in_numbers(num_heads, query_len, key_len, head_dim, bytes_per_number):
    fused = num_heads * (2 * query_len + 2 * key_len) * head_dim
    return [fused + num_heads * 4 * query_len * key_len, fused]


# wrong: in KiB
def kibibytes(num_heads, query_len, key_len, head_dim, bytes_per_number):
    ends = 2 * head_dim * (query_len + key_len) * num_heads * bytes_per_number
    table = 4 * query_len * key_len * num_heads * bytes_per_number
    return [(ends + table) / 1024, ends / 1024]


# wrong: the values are not counted
# named: value_forgotten
def one_of_key_and_value(num_heads, query_len, key_len, head_dim, bytes_per_number):
    ends = 2 * query_len * head_dim + key_len * head_dim
    unit = num_heads * bytes_per_number
    return [unit * (ends + 4 * query_len * key_len), unit * ends]


# wrong: the table once
# named: table_once
def one_pass(num_heads, query_len, key_len, head_dim, bytes_per_number):
    qkvo = 2 * head_dim * (query_len + key_len)
    scores = query_len * key_len
    return [num_heads * bytes_per_number * (qkvo + scores), num_heads * bytes_per_number * qkvo]


# wrong: the explicit form is the table alone
# named: table_alone
def only_the_table(num_heads, query_len, key_len, head_dim, bytes_per_number):
    ends = 2 * head_dim * (query_len + key_len) * num_heads * bytes_per_number
    return [4 * query_len * key_len * num_heads * bytes_per_number, ends]


# wrong: the table times head_dim
# named: operations
def products_counted(num_heads, query_len, key_len, head_dim, bytes_per_number):
    ends = 2 * head_dim * (query_len + key_len)
    table = 4 * query_len * key_len * head_dim
    return [num_heads * (ends + table) * bytes_per_number, num_heads * ends * bytes_per_number]


# right
def right_meta_tensors(num_heads, query_len, key_len, head_dim, bytes_per_number):
    """Bytes of tensors that are never made."""

    def size(*shape):
        return torch.empty(num_heads, *shape, device="meta").numel() * bytes_per_number

    q, k, table = size(query_len, head_dim), size(key_len, head_dim), size(query_len, key_len)
    fused = q + k + k + q
    return [float(fused + 2 * table + 2 * table), float(fused)]


# right
def right_named_sizes(num_heads, query_len, key_len, head_dim, bytes_per_number):
    query = output = query_len * head_dim
    key = value = key_len * head_dim
    scores = weights = query_len * key_len
    read_once = query + key + value
    explicit = read_once + 2 * scores + 2 * weights + output
    fused = read_once + output
    return tuple(num_heads * bytes_per_number * n for n in (explicit, fused))


# wrong: the output has key_len rows
# named: keys_and_queries_exchanged
def three_for_the_keys(num_heads, query_len, key_len, head_dim, bytes_per_number):
    ends = head_dim * (query_len + 3 * key_len)
    unit = num_heads * bytes_per_number
    return [unit * (ends + 4 * query_len * key_len), unit * ends]


# wrong: the table twice
# named: table_once
def two_passes(num_heads, query_len, key_len, head_dim, bytes_per_number):
    qkvo = 2 * head_dim * (query_len + key_len)
    scores = 2 * query_len * key_len
    return [num_heads * bytes_per_number * (qkvo + scores), num_heads * bytes_per_number * qkvo]


# wrong: the output is not counted
# named: output_forgotten
def written_forgotten(num_heads, query_len, key_len, head_dim, bytes_per_number):
    reads = query_len * head_dim + 2 * key_len * head_dim
    table = 4 * query_len * key_len
    size = num_heads * bytes_per_number
    return size * (reads + table), size * reads


# wrong: tables of one head only
# named: one_head
def table_of_one_head_too(num_heads, query_len, key_len, head_dim, bytes_per_number):
    io = num_heads * 2 * (query_len + key_len) * head_dim * bytes_per_number
    return [io + 4 * query_len * key_len * bytes_per_number, io]
