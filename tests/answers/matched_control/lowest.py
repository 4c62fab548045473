# wrong: counts upwards from head 0 and ignores the lot
# named: lowest_number
def matched_control(chosen, order):
    control = []
    for layer, _ in chosen:
        for candidate in sorted(order):
            if candidate[0] == layer and candidate not in chosen + control:
                control.append(candidate)
                break
    return control
