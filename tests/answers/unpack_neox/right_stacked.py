# right
def unpack_neox(weight, num_heads):
    """One tensor (3, d_model, d_model), which unpacks into three."""
    d_model = weight.shape[1]
    parts = weight.view(num_heads, 3, d_model // num_heads, d_model)
    return parts.transpose(0, 1).reshape(3, d_model, d_model)
