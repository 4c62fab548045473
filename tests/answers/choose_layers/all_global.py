# wrong: all layers global
# named: global_only


def choose_layers(num_layers, window, key_dim, distance, pairs):
    return ["global"] * num_layers
