# wrong: the first sentence only
# named: first_sentence_only


def subject_head(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    means = weights[:, 0, :, query_positions[0], subject_positions[0]]
    layer, head = divmod(int(means.argmax()), heads)
    return layer, head, float(means[layer, head])
