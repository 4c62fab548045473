# wrong: the last control only


def cost_and_control(measure, num_heads, chosen):
    others = [head for head in range(num_heads) if head not in chosen]
    whole = measure(())
    sets = [tuple(others[-len(chosen) :])]
    losses = [whole - measure(removed) for removed in sets]
    return whole - measure(chosen), sum(losses) / len(losses)
