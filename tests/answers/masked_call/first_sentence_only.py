# wrong: only sentence 0
# named: first_sentence_only
def masked_call(layer, x, mask):
    x = x[:1]
    return layer(x, x, x, attn_mask=~mask)
