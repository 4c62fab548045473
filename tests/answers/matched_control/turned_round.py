# wrong: returns (head, layer)
# named: head_first
def matched_control(chosen, order):
    control = []
    for layer, _ in chosen:
        for other in order:
            if other[0] == layer and other not in chosen and other[::-1] not in control:
                control.append((other[1], other[0]))
                break
    return control
