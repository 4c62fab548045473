# right


def earliest_seen(windows, position):
    steps = [(window or 10**9) - 1 for window in windows]
    return [max(0, position - sum(steps[: i + 1])) for i in range(len(steps))]
