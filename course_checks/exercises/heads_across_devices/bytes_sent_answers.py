"""Answers to bytes_sent (lesson 15, exercise 6), right and wrong, as students write them."""


# wrong: keys without values
# named: keys_alone
def keys_only(tokens, num_heads, num_kv_heads, head_dim, num_devices, bytes_per_number):
    n = num_devices
    chunk = tokens // n * head_dim * bytes_per_number
    heads = 2 * (n - 1) * chunk * num_heads
    ring = (n - 1) * chunk * num_kv_heads
    return [heads, ring]


# wrong: n passes in both
# named: n_steps
def n_passes(tokens, num_heads, num_kv_heads, head_dim, num_devices, bytes_per_number):
    n = num_devices
    chunk = tokens // n * head_dim * bytes_per_number
    heads = 2 * n * chunk * num_heads
    ring = n * 2 * chunk * num_kv_heads
    return [heads, ring]


# wrong: numbers, not bytes
# named: numbers
def numbers(tokens, num_heads, num_kv_heads, head_dim, num_devices, bytes_per_number):
    n = num_devices
    chunk = tokens // n * head_dim
    heads = 2 * (n - 1) * chunk * num_heads
    ring = (n - 1) * 2 * chunk * num_kv_heads
    return [heads, ring]


# wrong: of all devices together
# named: of_all_devices
def of_all_devices(tokens, num_heads, num_kv_heads, head_dim, num_devices, bytes_per_number):
    n = num_devices
    chunk = tokens // n * head_dim * bytes_per_number
    heads = 2 * (n - 1) * chunk * num_heads
    ring = (n - 1) * 2 * chunk * num_kv_heads
    return [n * heads, n * ring]


# wrong: chunks go round once
# named: one_pass
def once_round(tokens, num_heads, num_kv_heads, head_dim, num_devices, bytes_per_number):
    n = num_devices
    chunk = tokens // n * head_dim * bytes_per_number
    heads = (n - 1) * chunk * num_heads
    ring = (n - 1) * 2 * chunk * num_kv_heads
    return [heads, ring]


# wrong: a share of the heads in the all-reduce
# named: own_heads_summed
def own_heads_only(tokens, num_heads, num_kv_heads, head_dim, num_devices, bytes_per_number):
    n = num_devices
    chunk = tokens // n * head_dim * bytes_per_number
    heads = 2 * (n - 1) * chunk * (num_heads // n)
    ring = (n - 1) * 2 * chunk * num_kv_heads
    return [heads, ring]


# wrong: query heads travel
# named: query_heads
def query_heads_in_the_ring(
    tokens, num_heads, num_kv_heads, head_dim, num_devices, bytes_per_number
):
    n = num_devices
    chunk = tokens // n * head_dim * bytes_per_number
    heads = 2 * (n - 1) * chunk * num_heads
    ring = (n - 1) * 2 * chunk * num_heads
    return [heads, ring]


# right
def right_counted(tokens, num_heads, num_kv_heads, head_dim, num_devices, bytes_per_number):
    chunk = tokens // num_devices * head_dim * bytes_per_number
    heads = sum(chunk * num_heads for _ in range(2 * num_devices - 2))
    return heads, sum(2 * chunk * num_kv_heads for _ in range(num_devices - 1))


# wrong: floats where whole numbers are counted
# named: floats
def whole_floats(tokens, num_heads, num_kv_heads, head_dim, num_devices, bytes_per_number):
    n, unit = num_devices, head_dim * bytes_per_number
    return [
        2 * (n - 1) / n * tokens * num_heads * unit,
        (n - 1) * 2 * (tokens / n) * num_kv_heads * unit,
    ]


# wrong: the two exchanged
# named: exchanged
def swapped(tokens, num_heads, num_kv_heads, head_dim, num_devices, bytes_per_number):
    n = num_devices
    chunk = tokens // n * head_dim * bytes_per_number
    heads = 2 * (n - 1) * chunk * num_heads
    ring = (n - 1) * 2 * chunk * num_kv_heads
    return [ring, heads]


# wrong: everything to everyone
# named: everything_to_everybody
def to_everyone(tokens, num_heads, num_kv_heads, head_dim, num_devices, bytes_per_number):
    n = num_devices
    chunk = tokens // n * head_dim * bytes_per_number
    heads = (n - 1) * n * chunk * num_heads
    ring = (n - 1) * 2 * chunk * num_kv_heads
    return [heads, ring]


# right
def right_by_chunks(tokens, num_heads, num_kv_heads, head_dim, num_devices, bytes_per_number):
    chunk = tokens // num_devices * head_dim * bytes_per_number
    passes = num_devices - 1
    return 2 * passes * chunk * num_heads, passes * 2 * chunk * num_kv_heads
