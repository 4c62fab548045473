"""Pictures come as files, when the reader is near them, and nothing moves when they do."""

import base64
import re
import struct

from tools.site.page_images import OPENING, apart

PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 1036, 938)
DATA = base64.b64encode(PNG).decode()
IMAGE = f'<img class="course-figure" width="518" alt="x" src="data:image/png;base64,{DATA}">'


def test_a_picture_is_a_file_and_keeps_its_place():
    page, files = apart(f"<p>{IMAGE}</p>{IMAGE}", "../")
    ((path, content),) = files.items()
    assert content == PNG and page.count(f'src="../{path.as_posix()}"') == 2
    assert page.count('width="518"') == page.count('height="469"') == 2
    assert page.count('loading="lazy"') == 2 and "base64" not in page


def test_what_a_lesson_opens_with_is_fetched_at_once():
    page, _ = apart(f"{OPENING}{IMAGE}</div>{IMAGE}", "")
    first, second = re.findall(r"<img [^>]*>", page)
    assert "lazy" not in first and "lazy" in second


def test_pictures_that_are_files_stay():
    page = '<img src="_images/x.png">'
    assert apart(page, "") == (page, {})
