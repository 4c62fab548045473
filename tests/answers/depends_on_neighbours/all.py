# wrong: True only if the answers of all sentences differ
# named: all_must_move

import torch


def depends_on_neighbours(model, source, lengths):
    y = model(source, lengths)
    return all(
        not torch.allclose(
            model(source[b : b + 1, : lengths[b]], lengths[b : b + 1])[0], y[b], atol=1e-5
        )
        for b in range(len(source))
    )
