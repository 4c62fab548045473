# right
import numpy as np


def previous_token_head(maps):
    arrays = [np.diagonal(text.numpy(), -1, 2, 3) for text in maps]
    mean = np.concatenate(arrays, axis=-1).mean(axis=-1)
    layer, head = np.unravel_index(mean.argmax(), mean.shape)
    return layer, head, mean[layer, head]
