"""One colour for each role, the same in every drawing, and the light and the dark page.

The roles differ for colour-blind eyes, and each has a contrast of 3:1 at least on both pages.
Words need more: ``ink`` mixes a role with the colour of the text, which makes it darker on the
light page and lighter on the dark one.
"""

ROLES = {
    "input": "#7f7f7f",
    "query": "#0072b2",
    "key": "#d55e00",
    "value": "#009e73",
    "weights": "#b8860b",
    "output": "#6a5acd",
}
PAGES = {"light": ("#ffffff", "#000000"), "dark": ("#111111", "#ffffff")}  # background, text
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
