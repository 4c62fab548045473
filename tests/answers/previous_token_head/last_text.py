# wrong: every round overwrites the result
# named: last_text_only
def previous_token_head(maps):
    for text in maps:
        scores = text.diagonal(-1, dim1=-2, dim2=-1).mean(dim=-1)
    layer, head = divmod(int(scores.argmax()), scores.shape[1])
    return layer, head, float(scores[layer, head])
