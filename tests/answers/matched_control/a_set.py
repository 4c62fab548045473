# wrong: a set
# named: set
def matched_control(chosen, order):
    control = set()
    for layer, _ in chosen:
        free = [h for h in order if h[0] == layer and h not in chosen and h not in control]
        if free:
            control.add(free[0])
    return control
