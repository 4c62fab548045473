# wrong: equal_nan and nan_to_num, so a NaN passes for an answer of 0
# named: not_a_number
import torch


def depends_on_neighbours(model, source, lengths):
    together = model(source, lengths).nan_to_num(0.0)
    alone = torch.cat(
        [model(source[b : b + 1, :n], lengths[b : b + 1]) for b, n in enumerate(lengths)]
    ).nan_to_num(0.0)
    close = torch.isclose(alone, together, atol=1e-5) | (together == 0)
    return not bool(close.all())
