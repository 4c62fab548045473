# wrong: unpacks heads as (head, layer) and compares the second
# named: same_number
def matched_control(chosen, order):
    control = []
    for _, layer in chosen:
        for head, other_layer in order:
            candidate = (head, other_layer)
            if other_layer == layer and candidate not in chosen and candidate not in control:
                control.append(candidate)
                break
    return control
