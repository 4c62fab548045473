"""All else stands in pyproject.toml. pip runs this before it loads PyTorch, old pips as well."""

import platform
import sys

from setuptools import setup

if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit(
        "The course needs Python 3.11, 3.12, 3.13 or 3.14. "
        f"This environment has Python {platform.python_version()}."
    )

setup()
