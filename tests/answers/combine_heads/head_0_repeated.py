# wrong: repeats head 0
# named: first_head_repeated
def combine_heads(heads):
    return heads[:, 0].repeat(1, 1, heads.shape[1])
