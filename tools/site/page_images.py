"""Pictures of a page, as files beside it: a page with its figures inside is five times as long.

A picture that stands in a page as text comes with the page, wanted or not. As a file it is fetched
when the reader comes near it, and kept for the next page that shows it.
"""

import base64
import hashlib
import re
import struct
from pathlib import Path

FOLDER = Path("_images")
INLINE = re.compile(
    r'<img (?P<before>[^>]*?)src="data:image/(?P<kind>png|svg\+xml);base64,(?P<data>[^"]*)"'
    r"(?P<after>[^>]*)>"
)
OPENING = '<div class="opening">'


def apart(page: str, top: str) -> tuple[str, dict[Path, bytes]]:
    """Return the page with addresses in place of its pictures, and the files of these.

    A page keeps the place of each, so that nothing moves when it comes.

    Args:
        page: its HTML.
        top: the way from the page to the site's first folder.
    """
    files: dict[Path, bytes] = {}
    opening_at = page.find(OPENING)

    def address(match: re.Match) -> str:
        is_first = opening_at >= 0 and not 0 <= page.find("<img ", opening_at) < match.start()
        content = base64.b64decode(match["data"])
        ending = match["kind"].removesuffix("+xml")
        path = FOLDER / f"{hashlib.sha256(content).hexdigest()[:16]}.{ending}"
        files[path] = content
        lazy = "" if is_first else ' loading="lazy"'
        before = size(match["before"], content)
        return f'<img {before}src="{top}{path.as_posix()}"{lazy}{match["after"]}>'

    return INLINE.sub(address, page), files


def size(attributes: str, content: bytes) -> str:
    """Return the attributes of a picture with its height, where they say its width only."""
    width = re.search(r'width="(\d+)"', attributes)
    if not width or "height=" in attributes or not content.startswith(b"\x89PNG"):
        return attributes
    return f'{attributes}height="{height_of_png(content, int(width[1]))}" '


def height_of_png(content: bytes, width: int) -> int:
    """Return how high a PNG is that is shown so wide."""
    across, down = struct.unpack(">II", content[16:24])
    return round(width * down / across)
