# wrong: indexes without arange: each sentence meets the positions of all others
# named: sentences_crossed


def subject_head(weights, query_positions, subject_positions):
    w = weights[:, :, :, query_positions, subject_positions].mean(dim=(1, 3))
    i = w.argmax().item()
    layer, head = divmod(i, w.shape[1])
    return layer, head, w.max().item()
