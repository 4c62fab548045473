"""Answers to choose_layers (lesson 14, exercise 7), right and wrong, as students write them."""


# wrong: all layers global
# named: global_only
def all_global(num_layers, window, key_dim, distance, pairs):
    return ["global"] * num_layers


# wrong: all layers states
# named: states_only
def all_states(num_layers, window, key_dim, distance, pairs):
    return ["state"] * num_layers


# wrong: all layers windows
# named: windows_only
def all_windows(num_layers, window, key_dim, distance, pairs):
    return ["window"] * num_layers


# wrong: a global layer wherever windows fail
# named: never_a_state
def always_global(num_layers, window, key_dim, distance, pairs):
    seen = distance < window
    handed_on = pairs == 1 and distance <= num_layers * (window - 1)
    if seen or handed_on:
        return ["window"] * num_layers
    kind = "global"
    return ["window"] * (num_layers - 1) + [kind]


# wrong: a state wherever windows fail
# named: state_for_any_number
def always_state(num_layers, window, key_dim, distance, pairs):
    seen = distance < window
    handed_on = pairs == 1 and distance <= num_layers * (window - 1)
    if seen or handed_on:
        return ["window"] * num_layers
    kind = "state"
    return ["window"] * (num_layers - 1) + [kind]


# wrong: names with capitals
def capitals(num_layers, window, key_dim, distance, pairs):
    seen = distance < window
    handed_on = pairs == 1 and distance <= num_layers * (window - 1)
    if seen or handed_on:
        return ["Window"] * num_layers
    kind = "state" if pairs <= key_dim else "global"
    return ["Window"] * (num_layers - 1) + [kind.title()]


# wrong: every layer is the odd one
# named: all_layers_of_it
def every_layer(num_layers, window, key_dim, distance, pairs):
    seen = distance < window
    handed_on = pairs == 1 and distance <= num_layers * (window - 1)
    if seen or handed_on:
        return ["window"] * num_layers
    kind = "state" if pairs <= key_dim else "global"
    return [kind] * num_layers


# wrong: pairs < key_dim
# named: state_one_short
def fewer_than_features(num_layers, window, key_dim, distance, pairs):
    seen = distance < window
    handed_on = pairs == 1 and distance <= num_layers * (window - 1)
    if seen or handed_on:
        return ["window"] * num_layers
    kind = "state" if pairs < key_dim else "global"
    return ["window"] * (num_layers - 1) + [kind]


# wrong: as many pairs as features are handed on
# named: reach_is_not_use
def key_dim_handed_on(num_layers, window, key_dim, distance, pairs):
    seen = distance < window
    handed_on = pairs <= key_dim and distance <= num_layers * (window - 1)
    if seen or handed_on:
        return ["window"] * num_layers
    kind = "state" if pairs <= key_dim else "global"
    return ["window"] * (num_layers - 1) + [kind]


# wrong: many pairs are handed on
# named: reach_is_not_use
def many_handed_on(num_layers, window, key_dim, distance, pairs):
    seen = distance < window
    handed_on = distance <= num_layers * (window - 1)
    if seen or handed_on:
        return ["window"] * num_layers
    kind = "state" if pairs <= key_dim else "global"
    return ["window"] * (num_layers - 1) + [kind]


# wrong: windows hand nothing on
# named: never_handed_on
def nothing_handed_on(num_layers, window, key_dim, distance, pairs):
    seen = distance < window
    handed_on = pairs == 1 and distance <= num_layers * (window - 1)
    if seen:
        return ["window"] * num_layers
    kind = "state" if pairs <= key_dim else "global"
    return ["window"] * (num_layers - 1) + [kind]


# wrong: one layer too many
def one_layer_long(num_layers, window, key_dim, distance, pairs):
    seen = distance < window
    handed_on = pairs == 1 and distance <= num_layers * (window - 1)
    if seen or handed_on:
        return ["window"] * num_layers
    kind = "state" if pairs <= key_dim else "global"
    return ["window"] * num_layers + [kind]


# wrong: the windows are left out
def one_layer_short(num_layers, window, key_dim, distance, pairs):
    seen = distance < window
    handed_on = pairs == 1 and distance <= num_layers * (window - 1)
    if seen or handed_on:
        return ["window"] * num_layers
    kind = "state" if pairs <= key_dim else "global"
    return [kind]


# wrong: a name alone
def one_name(num_layers, window, key_dim, distance, pairs):
    seen = distance < window
    handed_on = pairs == 1 and distance <= num_layers * (window - 1)
    if seen or handed_on:
        return ["window"] * num_layers
    kind = "state" if pairs <= key_dim else "global"
    return kind


# wrong: many pairs in the window of the question are not seen
# named: sight_forgotten
def own_window_forgotten(num_layers, window, key_dim, distance, pairs):
    seen = distance < window
    handed_on = pairs == 1 and distance <= num_layers * (window - 1)
    if handed_on:
        return ["window"] * num_layers
    kind = "state" if pairs <= key_dim else "global"
    return ["window"] * (num_layers - 1) + [kind]


# wrong: num_layers * window
# named: reach_too_long
def reach_too_far(num_layers, window, key_dim, distance, pairs):
    seen = distance < window
    handed_on = pairs == 1 and distance <= num_layers * window
    if seen or handed_on:
        return ["window"] * num_layers
    kind = "state" if pairs <= key_dim else "global"
    return ["window"] * (num_layers - 1) + [kind]


# wrong: less than the reach
# named: reach_one_short
def reach_too_short(num_layers, window, key_dim, distance, pairs):
    seen = distance < window
    handed_on = pairs == 1 and distance < num_layers * (window - 1)
    if seen or handed_on:
        return ["window"] * num_layers
    kind = "state" if pairs <= key_dim else "global"
    return ["window"] * (num_layers - 1) + [kind]


# right
def right_all_patterns(num_layers, window, key_dim, distance, pairs):
    price = {"window": window, "state": key_dim, "global": distance + 1}

    def finds(layers):
        if "global" in layers or ("state" in layers and pairs <= key_dim):
            return True
        if "window" in layers and distance < window:
            return True
        return pairs == 1 and distance <= layers.count("window") * (window - 1)

    patterns = [()]
    for _ in range(num_layers):
        patterns = [(*p, kind) for p in patterns for kind in price if not p or p[-1] <= kind]
        patterns = list(dict.fromkeys(patterns))
    good = [p for p in patterns if finds(p)]
    return list(min(good, key=lambda p: sum(price[kind] for kind in p)))


# right
def right_odd_one_first(num_layers, window, key_dim, distance, pairs):
    seen = distance < window
    handed_on = pairs == 1 and distance <= num_layers * (window - 1)
    if seen or handed_on:
        return ["window"] * num_layers
    kind = "state" if pairs <= key_dim else "global"
    return [kind] + ["window"] * (num_layers - 1)


# right
def right_odd_one_second(num_layers, window, key_dim, distance, pairs):
    seen = distance < window
    handed_on = pairs == 1 and distance <= num_layers * (window - 1)
    if seen or handed_on:
        return ["window"] * num_layers
    kind = "state" if pairs <= key_dim else "global"
    layers = ["window"] * num_layers
    layers[min(1, num_layers - 1)] = kind
    return layers


# wrong: distance <= window
# named: window_too_long
def seen_one_too_far(num_layers, window, key_dim, distance, pairs):
    seen = distance <= window
    handed_on = pairs == 1 and distance <= num_layers * (window - 1)
    if seen or handed_on:
        return ["window"] * num_layers
    kind = "state" if pairs <= key_dim else "global"
    return ["window"] * (num_layers - 1) + [kind]


# wrong: a state where the distance is small
# named: state_by_distance
def state_by_distance(num_layers, window, key_dim, distance, pairs):
    seen = distance < window
    handed_on = pairs == 1 and distance <= num_layers * (window - 1)
    if seen or handed_on:
        return ["window"] * num_layers
    kind = "state" if distance <= key_dim else "global"
    return ["window"] * (num_layers - 1) + [kind]
