# right


def earliest_seen(windows, position):
    found, earliest = [], position
    for window in windows:
        earliest = 0 if window == 0 else max(0, earliest - window + 1)
        found.append(earliest)
    return tuple(found)
