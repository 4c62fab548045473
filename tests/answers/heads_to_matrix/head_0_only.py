# wrong: the weight and bias of the first head only
# named: first_head_only
def heads_to_matrix(heads):
    return heads[0].weight, heads[0].bias
