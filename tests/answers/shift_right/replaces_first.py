# wrong: the start token replaces the first token, nothing moves
# named: first_dropped


def shift_right(target, start):
    read = target.clone()
    read[:, 0] = start
    return read
