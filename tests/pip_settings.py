"""Settings for the pip that a test lets run, as environment variables."""

import os


def pip_asks(monkeypatch, **settings):
    """Let pip follow these settings, and none of this machine's."""
    for name in list(os.environ):
        if name.startswith("PIP_"):
            monkeypatch.delenv(name)
    for name, value in {"CONFIG_FILE": os.devnull, "RETRIES": 0, **settings}.items():
        monkeypatch.setenv(f"PIP_{name}", str(value))
