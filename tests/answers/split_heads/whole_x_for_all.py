# wrong: every head gets all features
# named: whole_for_all
def split_heads(x, num_heads):
    return x.unsqueeze(1).repeat(1, num_heads, 1, 1)
