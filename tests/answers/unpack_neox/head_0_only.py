# wrong: returns the rows of head 0 only
# named: first_head_only
def unpack_neox(weight, num_heads):
    head_dim = weight.shape[1] // num_heads
    return weight[:head_dim], weight[head_dim : 2 * head_dim], weight[2 * head_dim : 3 * head_dim]
