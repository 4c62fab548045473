# right


def cost_and_control(measure, num_heads, chosen):
    whole, losses = measure(()), []
    for bits in range(2**num_heads):
        some = tuple(h for h in range(num_heads) if bits >> h & 1)
        if len(some) == len(chosen) and not set(some) & set(chosen):
            losses.append(whole - measure(some))
    return whole - measure(chosen), sum(losses) / len(losses)
