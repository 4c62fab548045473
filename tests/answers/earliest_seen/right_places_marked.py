# right


def earliest_seen(windows, position):
    seen = {position}
    found = []
    for window in windows:
        for place in list(seen):
            first = 0 if window == 0 else max(0, place - window + 1)
            seen |= set(range(first, place))
        found.append(min(seen))
    return found
