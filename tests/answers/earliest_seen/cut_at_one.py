# wrong: cut at 1 instead of 0
# named: stops_at_one


def earliest_seen(windows, position):
    found, earliest = [], position
    for window in windows:
        earliest = 1 if window == 0 else max(1, earliest - window + 1)
        found.append(earliest)
    return found
