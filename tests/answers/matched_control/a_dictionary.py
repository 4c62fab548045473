# wrong: a dictionary from chosen head to partner
# named: dictionary
def matched_control(chosen, order):
    control = {}
    for own in chosen:
        for other in order:
            if other[0] == own[0] and other not in chosen and other not in control.values():
                control[own] = other
                break
    return control
