# wrong: takes another layer where none is left
# named: another_layer_when_none_is_left
def matched_control(chosen, order):
    free = [h for h in order if h not in chosen]
    control = []
    for layer, _ in chosen:
        same = [h for h in free if h[0] == layer] or free
        if same:
            control.append(same[0])
            free.remove(same[0])
    return control
