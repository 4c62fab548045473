# wrong: half of the window lies behind
# named: both_sides


def earliest_seen(windows, position):
    found, earliest = [], position
    for window in windows:
        earliest = 0 if window == 0 else max(0, earliest - window // 2)
        found.append(earliest)
    return found
