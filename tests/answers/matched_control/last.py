# wrong: pop() takes the last of the lot
# named: last_of_order
def matched_control(chosen, order):
    free = [h for h in order if h not in chosen]
    control = []
    for layer, _ in chosen:
        same = [h for h in free if h[0] == layer]
        if same:
            control.append(same.pop())
            free.remove(control[-1])
    return control
