# wrong: all layers states
# named: states_only


def choose_layers(num_layers, window, key_dim, distance, pairs):
    return ["state"] * num_layers
