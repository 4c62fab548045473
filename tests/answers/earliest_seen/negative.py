# wrong: not cut at 0
# named: before_zero


def earliest_seen(windows, position):
    found, earliest = [], position
    for window in windows:
        earliest = 0 if window == 0 else earliest - window + 1
        found.append(earliest)
    return found
