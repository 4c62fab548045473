# wrong: the next head
# named: next_number
def matched_control(chosen, order):
    num_heads = max(head for layer, head in order) + 1
    return [(layer, (head + 1) % num_heads) for layer, head in chosen]
