"""Commit the lessons without outputs to the branch that Colab's badges open: make colab-branch.

The branch is named after the version, colab-v0.1.0. Its one commit of its own has the current
commit as parent and differs from it in the lessons alone: their outputs and execution counts are
gone, so that no prediction has its answer below it. The commit is a function of its parent, so
that the branch may be made again. Neither the working tree nor git's index is touched. Changes that
are not committed would be missing in the branch, so with such there is none.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat

from tools.notebooks.notebook_files import ROOT, notebook_text, without_outputs
from tools.site.stamp_links import Project

LESSONS = "notebooks"  # exercises hold no outputs


def git(root: Path, *arguments: str, text: str | None = None, **variables: str) -> str:
    """Run git and return what it prints; `variables` go into its environment."""
    done = subprocess.run(
        ["git", *arguments],
        cwd=root,
        env=os.environ | variables,
        input=text,
        check=True,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    return done.stdout


def tree_without_outputs(root: Path, commit: str) -> str:
    """Write the commit's tree with lessons without outputs, and return its name."""
    listed = git(root, "ls-tree", "-r", "-z", "--name-only", commit, f"{LESSONS}/")
    with tempfile.TemporaryDirectory() as folder:
        index = str(Path(folder, "index"))
        git(root, "read-tree", commit, GIT_INDEX_FILE=index)
        for path in listed.split("\0"):
            if path.endswith(".ipynb"):
                stored = nbformat.reads(git(root, "show", f"{commit}:{path}"), as_version=4)
                text = notebook_text(without_outputs(stored))
                name = git(root, "hash-object", "-w", "--stdin", text=text).strip()
                entry = f"100644,{name},{path}"
                git(root, "update-index", "--cacheinfo", entry, GIT_INDEX_FILE=index)
        return git(root, "write-tree", GIT_INDEX_FILE=index).strip()


def uncommitted(root: Path) -> str:
    """Return which files that git knows have changes which are not committed."""
    return git(root, "status", "--short", "--untracked-files=no").rstrip()


def make_branch(root: Path) -> str:
    """Make the branch for the current commit, or make it again, and return its name.

    Raises:
        ValueError: there are changes that are not committed, or the course knows no address.
    """
    if changes := uncommitted(root):
        raise ValueError(f"Now commit, or take back, what has changed:\n{changes}")
    project = Project.read(root)
    if not project.is_published:
        raise ValueError(
            "The course does not know its address yet: "
            "make publish ADDRESS=https://github.com/OWNER/REPOSITORY"
        )
    commit = git(root, "rev-parse", "HEAD").strip()
    name, email, date = git(root, "show", "-s", "--format=%cn%n%ce%n%cI", commit).splitlines()
    who_and_when = {
        f"GIT_{role}_{what}": value
        for role in ("AUTHOR", "COMMITTER")
        for what, value in {"NAME": name, "EMAIL": email, "DATE": date}.items()
    }
    message = f"Lessons without outputs, for Colab: {project.branch}"
    tree = tree_without_outputs(root, commit)
    made = git(root, "commit-tree", tree, "-p", commit, "-m", message, **who_and_when).strip()
    git(root, "update-ref", f"refs/heads/{project.branch}", made)
    return project.branch


if __name__ == "__main__":
    try:
        print(f"Made. To publish it: git push --force origin {make_branch(ROOT)}")
    except ValueError as error:
        sys.exit(str(error))
