# wrong: the control removes single other heads, not as many as were chosen
# named: one_at_a_time


def cost_and_control(measure, num_heads, chosen):
    whole = measure(())
    others = [h for h in range(num_heads) if h not in chosen]
    return whole - measure(chosen), whole - sum(measure((h,)) for h in others) / len(others)
