# wrong: all positions for all sentences
# named: sentences_crossed


def subject_head(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    means = weights[:, :, :, query_positions, subject_positions].mean(dim=(1, 3))
    layer, head = divmod(int(means.argmax()), heads)
    return layer, head, float(means[layer, head])
