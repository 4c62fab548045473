"""All else stands in pyproject.toml. pip runs this before it loads PyTorch, old pips as well."""

import platform
import sys

from setuptools import setup
from setuptools.command.build_py import build_py

if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit(
        "The course needs Python 3.11, 3.12, 3.13 or 3.14. "
        f"This environment has Python {platform.python_version()}."
    )


class WithoutAnswers(build_py):
    """What is installed judges answers; those that its tests judge stay in the repository."""

    def find_package_modules(self, package, package_dir):
        modules = super().find_package_modules(package, package_dir)
        return [module for module in modules if not module[1].endswith("_answers")]


setup(cmdclass={"build_py": WithoutAnswers})
