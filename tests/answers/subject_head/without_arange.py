# wrong: each sentence meets the positions of all others
# named: sentences_crossed


def subject_head(weights, query_positions, subject_positions):
    means = weights[:, :, :, query_positions, subject_positions].mean(dim=(1, 3))
    layer, head = divmod(means.argmax().item(), means.shape[1])
    return layer, head, means[layer, head].item()
