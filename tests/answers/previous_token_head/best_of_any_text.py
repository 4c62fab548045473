# wrong: the best head of the best text
# named: best_text
def previous_token_head(maps):
    best = (0, 0, -1.0)
    for text in maps:
        scores = text.diagonal(-1, dim1=-2, dim2=-1).mean(dim=-1)
        layer, head = divmod(int(scores.argmax()), scores.shape[1])
        if scores[layer, head] > best[2]:
            best = layer, head, float(scores[layer, head])
    return best
