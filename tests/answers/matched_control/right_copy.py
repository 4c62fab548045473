# right
def matched_control(chosen, order):
    free = [h for h in order if h not in chosen]
    control = []
    for layer, _ in chosen:
        for i, (other_layer, _) in enumerate(free):
            if other_layer == layer:
                control.append(free.pop(i))
                break
    return control
