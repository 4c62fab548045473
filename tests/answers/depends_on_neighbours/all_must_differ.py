# wrong: every sentence has to differ before it says True
# named: all_must_move
import torch


def depends_on_neighbours(model, source, lengths):
    together = model(source, lengths)
    differs = []
    for b, length in enumerate(lengths.tolist()):
        alone = model(source[b : b + 1, :length], lengths[b : b + 1])
        differs.append(not torch.allclose(alone[0], together[b], atol=1e-5))
    return all(differs)
