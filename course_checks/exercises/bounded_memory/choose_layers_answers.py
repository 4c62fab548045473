"""Answers to choose_layers (lesson 14, exercise 7), right and wrong, as students write them."""

from itertools import product


# right
def by_limits(num_layers, window, key_dim, distance, pairs):
    carried = num_layers * (window - 1) if pairs == 1 else window - 1
    special = [] if distance <= carried else ["state" if pairs <= key_dim else "global"]
    return special + ["window"] * (num_layers - len(special))


# right
def cheapest(num_layers, window, key_dim, distance, pairs):
    """All patterns of at most one odd layer, by their rows, and the first that works."""
    rows = {"window": window, "state": key_dim, "global": distance + 1}

    def works(pattern):
        n = pattern.count("window")
        if "global" in pattern or ("state" in pattern and pairs <= key_dim):
            return True
        return n > 0 and distance <= (n * (window - 1) if pairs == 1 else window - 1)

    odd = [("window",) * (num_layers - 1) + last for last in product(rows)]
    odd.sort(key=lambda pattern: sum(rows[name] for name in pattern))
    return next(pattern for pattern in odd if works(pattern))


# right
def first(num_layers, window, key_dim, distance, pairs):
    pattern = ["window" for _ in range(num_layers)]
    seen = distance + 1 <= window
    relayed = pairs < 2 and distance // (window - 1) + (distance % (window - 1) > 0) <= num_layers
    if not seen and not relayed:
        pattern[0] = "global" if pairs > key_dim else "state"
    return pattern


# wrong: all layers windows
# named: windows_only
def all_windows(num_layers, window, key_dim, distance, pairs):
    return ["window"] * num_layers


# wrong: one layer in six is global, whatever is asked for
def gemma(num_layers, window, key_dim, distance, pairs):
    return [("global" if i % 6 == 5 else "window") for i in range(num_layers)]


# wrong: names a kind that there is not
# says: 'window', 'state' or 'global'
def other_names(num_layers, window, key_dim, distance, pairs):
    return ["local"] * num_layers


# wrong: names one layer
# says: you name 1
def too_few(num_layers, window, key_dim, distance, pairs):
    return ["global"]


# wrong: returns a string
# says: a list of
def one_name(num_layers, window, key_dim, distance, pairs):
    return "global"


# wrong: goes by how far windows reach, whatever they must carry
# named: reach_is_not_use
# says: one pair
def by_reach_alone(num_layers, window, key_dim, distance, pairs):
    if num_layers * (window - 1) >= distance:
        return num_layers * ["window"]
    return ["state" if pairs <= key_dim else "global"] + (num_layers - 1) * ["window"]


# wrong: a global layer, whatever is asked for
# named: one_pattern
# points: 4
def safe_choice(num_layers, window, key_dim, distance, pairs):
    return (num_layers - 1) * ["window"] + ["global"]


# other inputs
def other_inputs(generator):
    yield from (
        (4, 4, 6, 12, 1),
        (4, 4, 6, 13, 1),
        (5, 4, 6, 3, 3),
        (5, 4, 6, 5, 2),
        (4, 4, 5, 4, 2),
        (4, 5, 7, 16, 7),
        (4, 5, 7, 22, 8),
        (6, 5, 7, 23, 1),
    )
