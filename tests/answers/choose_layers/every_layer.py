# wrong: every layer is the odd one
# named: all_layers_of_it


def choose_layers(num_layers, window, key_dim, distance, pairs):
    seen = distance < window
    handed_on = pairs == 1 and distance <= num_layers * (window - 1)
    if seen or handed_on:
        return ["window"] * num_layers
    kind = "state" if pairs <= key_dim else "global"
    return [kind] * num_layers
