# wrong: every head gets the first head_dim features
# named: first_block_for_all
def split_heads(x, num_heads):
    head_dim = x.shape[-1] // num_heads
    return x[:, None, :, :head_dim].expand(-1, num_heads, -1, -1)
