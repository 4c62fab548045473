# wrong: a window of 0 sees nothing more
# named: none_sees_itself


def earliest_seen(windows, position):
    found, earliest = [], position
    for window in windows:
        earliest = earliest if window == 0 else max(0, earliest - window + 1)
        found.append(earliest)
    return found
