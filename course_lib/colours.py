"""One colour for each role, the same in every drawing.

They differ for colour-blind eyes, and each has a contrast of 3:1 at least on white and on the dark
background of JupyterLab. Words need more: ``ink`` mixes a role with the colour of the text, which
makes it darker on a light page and lighter on a dark one.
"""

ROLES = {
    "input": "#7f7f7f",
    "query": "#0072b2",
    "key": "#d55e00",
    "value": "#009e73",
    "weights": "#b8860b",
    "output": "#6a5acd",
}
INK_PERCENT = 60  # how much of the role's colour its words keep


def ink(role: str, *, dark: bool) -> str:
    """The colour of a role's words, on a dark page or on a light one, as ``#rrggbb``."""
    if role not in ROLES:
        raise ValueError(f"role must be one of {', '.join(ROLES)}; got {role!r}")
    text = 255 if dark else 0
    channels = bytes.fromhex(ROLES[role][1:])
    mixed = [round((INK_PERCENT * c + (100 - INK_PERCENT) * text) / 100) for c in channels]
    return "#" + bytes(mixed).hex()
