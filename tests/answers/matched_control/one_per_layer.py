# wrong: a dictionary by layer keeps one head for each
# named: one_for_each_layer
def matched_control(chosen, order):
    control = {}
    for layer, _ in chosen:
        for other in order:
            if other[0] == layer and other not in chosen and layer not in control:
                control[layer] = other
    return list(control.values())
