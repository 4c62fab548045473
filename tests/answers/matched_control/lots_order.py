# wrong: goes through the lot instead of the chosen heads
# named: in_the_order_of_the_lot
def matched_control(chosen, order):
    need = {}
    for layer, _ in chosen:
        need[layer] = need.get(layer, 0) + 1
    control = []
    for head in order:
        if head not in chosen and need.get(head[0], 0) > 0:
            control.append(head)
            need[head[0]] -= 1
    return control
