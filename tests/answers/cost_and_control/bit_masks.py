# right
def cost_and_control(measure, num_heads, chosen):
    whole, control, count = measure(()), 0.0, 0
    for bits in range(2**num_heads):
        heads = tuple(i for i in range(num_heads) if bits >> i & 1)
        if len(heads) == len(chosen) and not set(heads) & set(chosen):
            control += whole - measure(heads)
            count += 1
    return whole - measure(chosen), control / count
