# wrong: the position itself stands in front


def earliest_seen(windows, position):
    found, earliest = [position], position
    for window in windows:
        earliest = 0 if window == 0 else max(0, earliest - window + 1)
        found.append(earliest)
    return found
