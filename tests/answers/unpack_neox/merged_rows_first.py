# wrong: merges row 0 of all heads first, then row 1
# named: heads_interleaved
def unpack_neox(weight, num_heads):
    d_model = weight.shape[1]
    x = weight.view(num_heads, 3, d_model // num_heads, d_model)
    return tuple(x[:, w].transpose(0, 1).reshape(d_model, d_model) for w in range(3))
