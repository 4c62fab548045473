# wrong: all other heads of the layers
# named: all_of_the_layer
def matched_control(chosen, order):
    control = []
    for layer, _ in chosen:
        for other in order:
            if other[0] == layer and other not in chosen and other not in control:
                control.append(other)
    return control
