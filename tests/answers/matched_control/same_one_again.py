# wrong: forgets which were taken
# named: taken_twice
def matched_control(chosen, order):
    control = []
    for layer, head in chosen:
        free = [h for h in order if h[0] == layer and h not in chosen]
        if free:
            control.append(free[0])
    return control
