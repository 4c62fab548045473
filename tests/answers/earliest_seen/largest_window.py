# wrong: the largest window so far, as often as there are layers


def earliest_seen(windows, position):
    found = []
    for i in range(1, len(windows) + 1):
        back = (max(windows[:i]) - 1) * i
        found.append(0 if 0 in windows[:i] else max(0, position - back))
    return found
