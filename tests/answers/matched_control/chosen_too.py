# wrong: does not ask whether a head is chosen
# named: takes_a_chosen_one
def matched_control(chosen, order):
    control = []
    for layer, head in chosen:
        for other in order:
            if other[0] == layer and other not in control:
                control.append(other)
                break
    return control
