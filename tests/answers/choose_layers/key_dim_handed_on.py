# wrong: as many pairs as features are handed on
# named: handed_on_by_room


def choose_layers(num_layers, window, key_dim, distance, pairs):
    seen = distance < window
    handed_on = pairs <= key_dim and distance <= num_layers * (window - 1)
    if seen or handed_on:
        return ["window"] * num_layers
    kind = "state" if pairs <= key_dim else "global"
    return ["window"] * (num_layers - 1) + [kind]
