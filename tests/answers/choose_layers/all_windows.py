# wrong: all layers windows
# named: windows_only


def choose_layers(num_layers, window, key_dim, distance, pairs):
    return ["window"] * num_layers
