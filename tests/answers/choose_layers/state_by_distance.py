# wrong: a state where the distance is small
# named: state_by_distance


def choose_layers(num_layers, window, key_dim, distance, pairs):
    seen = distance < window
    handed_on = pairs == 1 and distance <= num_layers * (window - 1)
    if seen or handed_on:
        return ["window"] * num_layers
    kind = "state" if distance <= key_dim else "global"
    return ["window"] * (num_layers - 1) + [kind]
