# wrong: a window of 0 is subtracted like the others
# named: zero_as_a_window


def earliest_seen(windows, position):
    found, earliest = [], position
    for window in windows:
        earliest = max(0, earliest - window + 1)
        found.append(earliest)
    return found
