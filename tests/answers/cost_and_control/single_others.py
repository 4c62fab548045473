# wrong: the control removes one other head at a time, however many were chosen
# named: one_at_a_time


def cost_and_control(measure, num_heads, chosen):
    whole = measure(())
    losses = [whole - measure((h,)) for h in range(num_heads) if h not in chosen]
    return whole - measure(chosen), sum(losses) / len(losses)
