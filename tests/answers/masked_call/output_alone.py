# wrong: returns the output alone
# named: output_alone
def masked_call(layer, x, mask):
    return layer(x, x, x, attn_mask=~mask)[0]
