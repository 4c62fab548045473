# wrong: cuts the batch at its longest sentence, which a batch with a full sentence already is
# named: cut_at_longest
import torch


def depends_on_neighbours(model, source, lengths):
    shorter = source[:, : lengths.max()]
    return not torch.allclose(model(shorter, lengths), model(source, lengths), atol=1e-5)
