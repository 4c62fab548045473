"""Numbers on their way to the browser: as they are when they are few, else in fewer bits.

A head's n-bit numbers are low + step * code, with codes from 0 to 2**n - 1. For scores the last
code says "masked". Rounding moves a number by half a step at most. Scores that move by ``e`` move
their weights by e / (2 * temperature) at most, and so the number of bits follows from the weights.
"""

import base64
import zlib

import numpy as np
import torch

# So many numbers a page and a notebook can bear as they are, and so many values in 16 bits.
FEW = 10_000
MORE_VALUES = 100_000
MOST_WEIGHT_ERROR = 0.005
SHARES = 201  # a weight of many is sent as the square of so many parts
COLDEST = 10**-1.5  # where the slider of the temperature begins (explorer/toolbar.js)


def packed(tensor: torch.Tensor, bits: int) -> dict:
    """Return the numbers (layers, heads, ...) of all heads for ``explorer/numbers.js``.

    64 bits send float64, 32 float32; 1 to 16 round to that many. ``data`` comes in base64, with
    ``error``, the most by which a number was moved, and where it is rounded with ``low`` and
    ``step`` of each head. NaN counts as masked.
    """
    numbers = tensor.numpy()
    if bits >= 32:
        sent = numbers.astype("<f4" if bits == 32 else "<f8")
        return {"bits": bits, "data": _base64(sent), "error": _largest(sent - numbers)}
    heads = numbers.reshape(numbers.shape[0] * numbers.shape[1], -1)
    masked = np.isnan(heads)
    low = np.min(np.where(masked, np.inf, heads), axis=1, keepdims=True)
    low[~np.isfinite(low)] = 0.0
    high = np.max(np.where(masked, -np.inf, heads), axis=1, keepdims=True)
    high[~np.isfinite(high)] = 0.0
    step = np.maximum((high - low) / (2**bits - 2), np.finfo(np.float32).tiny)
    # What the browser computes with are float32: round to those.
    low, step = low.astype("<f4").astype(np.float64), step.astype("<f4").astype(np.float64)
    codes = np.rint((np.where(masked, low, heads) - low) / step).clip(0, 2**bits - 2)
    error = _largest(heads - (low + step * codes).astype("<f4"))
    codes = np.where(masked, 2**bits - 1, codes).astype(">u2")
    # The last bits of each code, one after another.
    as_bits = np.unpackbits(codes.view(np.uint8).reshape(-1, 2), axis=1)[:, 16 - bits :]
    return {
        "bits": bits,
        "data": _base64(codes if bits == 16 else np.packbits(as_bits)),
        "low": _base64(low.astype("<f4")),
        "step": _base64(step.astype("<f4")),
        "error": error,
    }


def packed_scores(scores: torch.Tensor, few: bool, coldest: float) -> dict:
    """Return scores in so few bits that no weight moves by more than ``MOST_WEIGHT_ERROR``.

    That holds down to the temperature ``coldest``. Scores are (layers, heads, query_len, key_len),
    float64, NaN where masked; ``few`` says that a page can bear them as float32.
    """
    for bits in (32,) if few else (16, 32):
        sent = packed(scores, bits)
        if sent["error"] <= 2 * coldest * MOST_WEIGHT_ERROR:
            return sent
    return packed(scores, 64)


def packed_weights(scores: torch.Tensor) -> dict:
    """Return the softmax of many scores in one byte each, compressed, for ``explorer/numbers.js``.

    A code is ``SHARES`` times the root of a weight, rounded, so that small weights are exact to
    more digits than large ones, and no weight moves by more than ``MOST_WEIGHT_ERROR``; 255 is
    masked. Scores are the logarithms of weights, (layers, heads, query_len, key_len), NaN = masked.
    """
    press, parts = zlib.compressobj(1, strategy=zlib.Z_RLE), []  # half the time, and smaller
    for layer in scores:
        codes = (layer / 2).exp_().mul_(SHARES).round_().nan_to_num_(255.0)
        parts.append(press.compress(codes.to(torch.uint8).numpy().tobytes()))
    data = base64.b64encode(b"".join((*parts, press.flush()))).decode()
    error = 1.01 * (1 / SHARES + 0.25 / SHARES**2)
    return {"shares": SHARES, "data": data, "error": float(f"{error:.2g}")}


def value_bits(count: int) -> int:
    """How many bits each of ``count`` numbers in the values gets."""
    return 32 if count <= FEW else 16 if count <= MORE_VALUES else 10


def packed_shares(numbers: torch.Tensor) -> str:
    """Return numbers from 0 to 1, of any shape, as one byte each, in base64."""
    return _base64((255 * numbers).round().to(torch.uint8).numpy())


def _largest(error: np.ndarray) -> float:
    """Return the largest of the numbers that are not NaN, with two digits, rounded up."""
    largest = np.abs(np.nan_to_num(error)).max(initial=0.0)
    return float(f"{1.05 * largest:.2g}")


def _base64(array: np.ndarray) -> str:
    return base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()
