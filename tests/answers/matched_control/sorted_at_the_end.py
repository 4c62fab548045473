# wrong: sorts the result
# named: sorted
def matched_control(chosen, order):
    control = []
    for layer, _ in chosen:
        free = [h for h in order if h[0] == layer and h not in chosen and h not in control]
        control += free[:1]
    return sorted(control)
