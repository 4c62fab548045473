# wrong: many pairs in the window of the question are not seen
# named: sight_forgotten


def choose_layers(num_layers, window, key_dim, distance, pairs):
    seen = distance < window
    handed_on = pairs == 1 and distance <= num_layers * (window - 1)
    if handed_on:
        return ["window"] * num_layers
    kind = "state" if pairs <= key_dim else "global"
    return ["window"] * (num_layers - 1) + [kind]
