# wrong: windows hand nothing on
# named: never_handed_on


def choose_layers(num_layers, window, key_dim, distance, pairs):
    seen = distance < window
    handed_on = pairs == 1 and distance <= num_layers * (window - 1)
    if seen:
        return ["window"] * num_layers
    kind = "state" if pairs <= key_dim else "global"
    return ["window"] * (num_layers - 1) + [kind]
