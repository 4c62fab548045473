# wrong: only the head itself is left out
# named: only_not_itself
def matched_control(chosen, order):
    control = []
    for layer, head in chosen:
        for other in order:
            if other[0] == layer and other != (layer, head) and other not in control:
                control.append(other)
                break
    return control
