# right


def choose_layers(num_layers, window, key_dim, distance, pairs):
    seen = distance < window
    handed_on = pairs == 1 and distance <= num_layers * (window - 1)
    if seen or handed_on:
        return ["window"] * num_layers
    kind = "state" if pairs <= key_dim else "global"
    layers = ["window"] * num_layers
    layers[min(1, num_layers - 1)] = kind
    return layers
