# wrong: hands over 1 and 0, which torch adds to the scores
# named: mask_added


def masked_call(layer, x, mask):
    return layer(x, x, x, attn_mask=mask.to(x.dtype))
