# right


def neighbours_to_halves(weight, num_heads):
    head_dim = len(weight) // num_heads
    order = sorted(range(len(weight)), key=lambda row: (row // head_dim, row % 2, row))
    return weight[order]
