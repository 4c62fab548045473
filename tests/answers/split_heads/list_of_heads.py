# wrong: returns a list of heads, not one tensor
# named: separate_tensors
def split_heads(x, num_heads):
    return [part for part in x.chunk(num_heads, dim=-1)]
