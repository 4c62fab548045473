# wrong: a sum instead of a mean
# named: sum_of_queries
def previous_token_head(maps):
    scores = sum(text.diagonal(-1, dim1=-2, dim2=-1).sum(dim=-1) for text in maps)
    layer, head = divmod(int(scores.argmax()), scores.shape[1])
    return layer, head, float(scores[layer, head])
