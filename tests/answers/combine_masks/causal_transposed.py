# wrong: the causal mask is transposed, queries see the future
# named: future_alone
def combine_masks(padding, causal):
    return padding & causal.T
