# wrong: takes a single set of others as control
# named: one_control


def cost_and_control(measure, num_heads, chosen):
    whole = measure(())
    others = [h for h in range(num_heads) if h not in chosen][: len(chosen)]
    return whole - measure(chosen), whole - measure(tuple(others))
