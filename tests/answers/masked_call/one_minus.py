# wrong: subtracts a boolean tensor from 1, which torch refuses


def masked_call(layer, x, mask):
    return layer(x, x, x, attn_mask=1 - mask)
