# right


def concatenate(heads):
    num_heads, head_dim = heads.shape[0], heads.shape[-1]
    joined = heads.new_empty(*heads.shape[1:-1], num_heads * head_dim)
    for i in range(num_heads):
        joined[..., i * head_dim : (i + 1) * head_dim] = heads[i]
    return joined
