# wrong: writes into the target
# named: changes_input


def shift_right(target, start):
    target[:, 1:] = target[:, :-1].clone()
    target[:, 0] = start
    return target
