# wrong: padding as (batch, length), so sentences pair with queries when batch == length
def combine_masks(padding, causal):
    flat = padding[:, 0, 0]
    if flat.shape == causal.shape:
        return (flat & causal)[:, None, None, :].expand(-1, 1, len(causal), -1)
    return padding & causal
