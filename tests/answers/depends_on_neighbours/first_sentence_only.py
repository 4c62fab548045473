# wrong: looks at sentence 0 only
# named: first_only
import torch


def depends_on_neighbours(model, source, lengths):
    together = model(source, lengths)
    alone = model(source[:1, : lengths[0]], lengths[:1])
    return not torch.allclose(alone[0], together[0], atol=1e-5)
