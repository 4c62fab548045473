# wrong: takes the heads out of the caller's lot
# named: changes_input
def matched_control(chosen, order):
    control = []
    for layer, _ in chosen:
        for other in order:
            if other[0] == layer and other not in chosen:
                control.append(other)
                order.remove(other)
                break
    return control
