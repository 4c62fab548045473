# wrong: compares head numbers
# named: same_number
def matched_control(chosen, order):
    control = []
    for layer, head in chosen:
        free = [h for h in order if h[1] == head and h not in chosen and h not in control]
        control += free[:1]
    return control
