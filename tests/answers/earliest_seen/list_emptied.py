# wrong: pops the windows from the list
# named: changes_input


def earliest_seen(windows, position):
    found, earliest = [], position
    while windows:
        window = windows.pop(0)
        earliest = 0 if window == 0 else max(0, earliest - window + 1)
        found.append(earliest)
    return found
