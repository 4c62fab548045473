"""One colour for each role, the same in every drawing, and the light and the dark page.

The roles differ for colour-blind eyes, and each has a contrast of 3:1 at least on both pages.
Words need more: ``ink`` mixes a role with the colour of the text, which makes it darker on the
light page and lighter on the dark one.

Attention weights have one scale, in maps, bars, drawings and widgets: 0 is the page, 0.5 the role's
colour, and 1 its darkest shade (on the dark page: its lightest). Lightness changes evenly.

Effects, differences and all else that has a sign run from purple over the page to green.

Roles and scales stand in ``colours.json``, which the widgets' scripts read too.
"""

import json
from importlib.resources import files

_TABLE = json.loads((files(__package__) / "colours.json").read_text(encoding="utf-8"))
ROLES: dict[str, str] = _TABLE["roles"]
PAGES = {"light": ("#ffffff", "#000000"), "dark": ("#121212", "#ffffff")}  # background, text
# The colours of the weights 0, 0.1, ... 1. The dark page's are the light page's after the filter
# DARK_FILTER, so that a stored picture of a map fits both pages.
WEIGHTS: dict[str, str] = _TABLE["weights"]
EFFECTS: dict[str, str] = _TABLE["effects"]  # of the changes -1, 0 and 1; dark as WEIGHTS
DARK_FILTER = "invert(0.93) hue-rotate(180deg)"
# How JupyterLab, Colab and VS Code mark a dark page. Where nothing says so, it is light.
DARK_PAGES = ('[data-jp-theme-light="false"]', '[theme="dark"]', ".vscode-dark")
INK_SHARE = 0.6  # how much of the role's colour its words keep


def ink(role: str, page: str) -> str:
    """The colour of a role's words on the light or the dark page, as ``#rrggbb``.

    Raises:
        ValueError: role or page is not one of those above.
    """
    for name, value, known in (("role", role, ROLES), ("page", page, PAGES)):
        if value not in known:
            raise ValueError(f"{name} must be one of {', '.join(known)}; got {value!r}")
    pairs = zip(bytes.fromhex(ROLES[role][1:]), bytes.fromhex(PAGES[page][1][1:]), strict=True)
    return "#" + bytes(round(INK_SHARE * a + (1 - INK_SHARE) * b) for a, b in pairs).hex()


def weight_colour(weight: float, page: str = "light") -> str:
    """The colour of an attention weight from 0 to 1, as ``#rrggbb``.

    Raises:
        ValueError: weight lies outside 0..1, or page is not one of those above.
    """
    if page not in WEIGHTS:
        raise ValueError(f"page must be one of {', '.join(WEIGHTS)}; got {page!r}")
    if not 0 <= weight <= 1:
        raise ValueError(f"weight must lie in 0..1; got {weight!r}")
    low = min(int(10 * weight), 9)
    below, above = (bytes.fromhex(stop) for stop in WEIGHTS[page].split()[low : low + 2])
    share = 10 * weight - low
    pairs = zip(below, above, strict=True)
    return "#" + bytes(round(a + share * (b - a)) for a, b in pairs).hex()
