# wrong: None where there is no partner
# named: none_in_the_list
def matched_control(chosen, order):
    control = []
    for layer, _ in chosen:
        control.append(
            next((h for h in order if h[0] == layer and h not in chosen and h not in control), None)
        )
    return control
