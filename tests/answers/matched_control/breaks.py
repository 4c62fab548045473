# wrong: stops at the first head without a partner
# named: stops_where_none_is_left
def matched_control(chosen, order):
    control = []
    for layer, _ in chosen:
        free = [h for h in order if h[0] == layer and h not in chosen and h not in control]
        if not free:
            break
        control.append(free[0])
    return control
