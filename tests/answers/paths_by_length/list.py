# wrong: returns a list instead of a tensor


def paths_by_length(x, weights):
    paths = [x]
    for w in weights:
        new = [x]
        for k in range(1, len(paths) + 1):
            old = paths[k] if k < len(paths) else 0
            new.append(old + paths[k - 1] @ w.T)
        paths = new
    return paths
