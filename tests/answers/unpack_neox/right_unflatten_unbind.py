# right
def unpack_neox(weight, num_heads):
    parts = weight.unflatten(0, (num_heads, 3, -1)).unbind(1)
    return tuple(part.flatten(0, 1) for part in parts)
