# wrong: back by the window, not by one less
# named: window_itself


def earliest_seen(windows, position):
    found, earliest = [], position
    for window in windows:
        earliest = 0 if window == 0 else max(0, earliest - window)
        found.append(earliest)
    return found
