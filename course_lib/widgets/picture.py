"""A still picture of attention weights as HTML: the same bytes in every run and on every machine.

matplotlib's pictures differ from version to version, and a stored notebook is compared text by
text. So this writes the PNG itself: one pixel for a cell, 64 steps of cividis, not compressed.
"""

import base64
import html
import math
import struct
import zlib

import numpy as np

STEPS = 64
MASKED, BACKGROUND = STEPS, STEPS + 1


def maps_image(weights: np.ndarray, allowed: np.ndarray) -> str:
    """Return an <img> of the maps of all heads.

    Args:
        weights: (heads, query_len, key_len).
        allowed: the same shape, boolean, True = may attend.
    """
    heads, query_len, key_len = weights.shape
    columns = min(heads, 6)
    rows = math.ceil(heads / columns)
    cells = np.full((rows * (query_len + 1) - 1, columns * (key_len + 1) - 1), BACKGROUND, np.uint8)
    for head in range(heads):
        top, left = head // columns * (query_len + 1), head % columns * (key_len + 1)
        steps = np.rint(weights[head] * (STEPS - 1)).astype(np.uint8)
        cells[top : top + query_len, left : left + key_len] = np.where(allowed[head], steps, MASKED)
    address = "data:image/png;base64," + base64.b64encode(_png(cells)).decode()
    size = f"{heads} heads, " if heads > 1 else ""
    alt = f"Attention weights: {size}{query_len} queries (rows) by {key_len} keys (columns)"
    width = min(620, columns * key_len * 24)
    style = f"width: {width}px; max-width: 100%; image-rendering: pixelated"
    return f'<img alt="{alt}" src="{address}" style="{style}">'


def weights_table(row: np.ndarray, allowed: np.ndarray, keys: list[str], caption: str) -> str:
    """Return a <table> of one query's weights (key_len,): at most its 16 largest, in key order."""
    top = sorted(np.argsort(-row, kind="stable")[:16].tolist())
    lines = "".join(
        f"<tr><th><bdi>{html.escape(keys[key])}</bdi></th>"
        f"<td>{f'{row[key]:.1%}' if allowed[key] else 'masked'}</td></tr>"
        for key in top
    )
    style = "white-space: nowrap; text-align: left"
    return (
        f'<table><caption style="{style}">A still picture; run the cell to touch it. '
        f"{html.escape(caption)}</caption><tr><th>key</th><th>weight</th></tr>{lines}</table>"
    )


def svg_image(svg: str, alt: str) -> str:
    """Return an <img> of a drawing."""
    address = "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()
    return f'<img alt="{html.escape(alt)}" src="{address}" style="max-width: 100%">'


def _png(cells: np.ndarray) -> bytes:
    import matplotlib

    colours = matplotlib.colormaps["cividis"](np.linspace(0, 1, STEPS))[:, :3]
    palette = np.rint(255 * colours).astype(np.uint8).tobytes() + b"\xd0\xd0\xd0" + b"\xff\xff\xff"
    height, width = cells.shape
    lines = b"".join(b"\0" + line.tobytes() for line in cells)  # 0: no filter
    blocks = [lines[i : i + 65535] for i in range(0, len(lines), 65535)]
    # Stored, not compressed: what a compressor makes of it depends on its version.
    stored = b"".join(
        struct.pack("<BHH", i == len(blocks) - 1, len(block), len(block) ^ 0xFFFF) + block
        for i, block in enumerate(blocks)
    )
    data = b"\x78\x01" + stored + struct.pack(">I", zlib.adler32(lines))
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"PLTE", palette), (b"IDAT", data), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in chunks
    )
