"""Give the course its address, and make what is to be pushed: make publish ADDRESS=...

    python -m tools.release.publish https://github.com/me/course          # pushes nothing
    python -m tools.release.publish https://github.com/me/course --push   # as publish.yml does

The address goes into address.txt, and from there into links, badges and set-up cells. What that
changes becomes one commit, and the branch that Colab opens is made for it. A second call finds
nothing to commit. What is printed is Markdown: the workflow shows it as its summary.
"""

import argparse
import subprocess
import sys
from pathlib import Path

from tools.notebooks.notebook_files import ROOT
from tools.release.colab_branch import git, make_branch, uncommitted
from tools.site.stamp_links import ADDRESS_FILE, Project, checked_address, stamp_all


def publish(root: Path, address: str) -> list[str]:
    """Write the address, commit what it changes and make the branch; return what was done.

    Raises:
        ValueError: the address is none, or there are changes that are not committed.
    """
    address = checked_address(address)
    if changes := uncommitted(root):
        raise ValueError(
            f"First commit, or take back, what has changed; then run this again:\n{changes}"
        )
    (root / ADDRESS_FILE).write_text(address + "\n", encoding="utf-8")
    project = Project.read(root)
    if not project.is_published:
        raise ValueError("OWNER/REPOSITORY stands for your names: give the address of your copy")
    stamped = stamp_all(root)
    if uncommitted(root):
        git(root, "commit", "--quiet", "--all", "--message", f"Links: {address}")
        done = [f"The course knows its address now: {address}. Files stamped: {len(stamped)}."]
        done.append(f'They are committed as "Links: {address}".')
    else:
        done = [f"The course knows its address already: {address}."]
    done.append(f"The branch {make_branch(root)} holds the lessons without outputs.")
    if project.opens_in_colab:
        done.append(f"Lesson 00 in Colab: {project.colab_address('notebooks/00_start_here.ipynb')}")
    else:
        done.append("Colab opens notebooks from GitHub only, so the lessons have no badge.")
    return done


def push(root: Path) -> str:
    """Push the branch and the commit; return what came of it.

    The default branch may be protected. The branch that Colab opens holds the links all the same.
    """
    git(root, "push", "--quiet", "--force", "origin", Project.read(root).branch)
    try:
        git(root, "push", "--quiet", "origin", "HEAD")
    except subprocess.CalledProcessError:
        return (
            "The commit was refused by the branch from which this ran: it may be protected. What "
            "Colab opens works without. For badges in the branch itself, run `make publish` on "
            "your computer and have its commit merged."
        )
    return "Both are pushed."


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("address", help="where the course will be: https://github.com/me/course")
    parser.add_argument("--push", action="store_true", help="push to origin as well")
    arguments = parser.parse_args()
    try:
        done = publish(ROOT, arguments.address)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    if arguments.push:
        done.append(push(ROOT))
    else:
        branch = Project.read(ROOT).branch
        done.append(f"Now push both:  git push origin HEAD && git push --force origin {branch}")
    print("\n\n".join(done))
    return 0


if __name__ == "__main__":
    sys.exit(main())
