# right
import numpy as np


def depends_on_neighbours(model, source, lengths):
    answers = model(source, lengths)

    def differs(b):
        alone = model(source[[b]][:, : lengths[b]], lengths[[b]])
        return not np.allclose(alone[0].detach().numpy(), answers[b].detach().numpy(), atol=1e-5)

    return any(differs(b) for b in range(len(lengths)))
