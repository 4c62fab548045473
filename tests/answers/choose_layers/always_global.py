# wrong: a global layer wherever windows fail
# named: never_a_state


def choose_layers(num_layers, window, key_dim, distance, pairs):
    seen = distance < window
    handed_on = pairs == 1 and distance <= num_layers * (window - 1)
    if seen or handed_on:
        return ["window"] * num_layers
    kind = "global"
    return ["window"] * (num_layers - 1) + [kind]
