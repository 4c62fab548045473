# wrong: not divided by the number of texts
# named: sum_of_means
def previous_token_head(maps):
    scores = sum(text.diagonal(-1, dim1=-2, dim2=-1).mean(dim=-1) for text in maps)
    layer, head = divmod(int(scores.argmax()), scores.shape[1])
    return layer, head, float(scores[layer, head])
