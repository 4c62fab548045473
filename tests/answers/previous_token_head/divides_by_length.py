# wrong: query 0 counts
# named: query_0_counts
def previous_token_head(maps):
    total, count = 0, 0
    for text in maps:
        total = total + text.diagonal(-1, dim1=-2, dim2=-1).sum(dim=-1)
        count += text.shape[-1]
    scores = total / count
    layer, head = divmod(int(scores.argmax()), scores.shape[1])
    return layer, head, float(scores[layer, head])
