# right


def choose_layers(num_layers, window, key_dim, distance, pairs):
    price = {"window": window, "state": key_dim, "global": distance + 1}

    def finds(layers):
        if "global" in layers or ("state" in layers and pairs <= key_dim):
            return True
        if "window" in layers and distance < window:
            return True
        return pairs == 1 and distance <= layers.count("window") * (window - 1)

    patterns = [()]
    for _ in range(num_layers):
        patterns = [(*p, kind) for p in patterns for kind in price if not p or p[-1] <= kind]
        patterns = list(dict.fromkeys(patterns))
    good = [p for p in patterns if finds(p)]
    return list(min(good, key=lambda p: sum(price[kind] for kind in p)))
