# right
import numpy as np


def subject_head(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    picked = [
        weights[:, b, :, q, s].double().numpy()
        for b, (q, s) in enumerate(
            zip(query_positions.tolist(), subject_positions.tolist(), strict=True)
        )
    ]
    means = np.mean(picked, axis=0)
    layer, head = np.unravel_index(means.argmax(), means.shape)
    return int(layer), int(head), float(means.max())
