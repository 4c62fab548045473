# wrong: every head gets all features
def split_heads(x, num_heads):
    return x.unsqueeze(1).repeat(1, num_heads, 1, 1)
