"""Publishing: by hand, and by the steps of the workflow, into a bare repository on disk."""

import os
import shutil
import subprocess
import sys

import nbformat
import pytest
import yaml

from tools.notebooks import notebook_files
from tools.site.stamp_links import PLACEHOLDER, setup_cells

WORKFLOW = notebook_files.ROOT / ".github" / "workflows" / "publish.yml"
ME = "https://github.com/me/course"
PAGES_OFF = "#!/bin/sh\nexit 1\n"
PAGES_ON = "#!/bin/sh\necho https://me.github.io/course/\n"
FEW = ("01_soft_lookup", "16_real_language_model")
WITH_OUTPUTS = "notebooks/01_soft_lookup.ipynb"
PROTECTED = "#!/bin/sh\ncase $1 in *refs/heads/main*) echo protected >&2; exit 1;; esac\n"


def git(root, *arguments):
    done = subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True)
    return done.stdout.strip()


class Host:
    """A bare repository in place of GitHub, and a clone of it in which things run."""

    def __init__(self, folder):
        self.folder = folder
        self.bare, self.clone = folder / "course.git", folder / "clone"

    @classmethod
    def pushed(cls, folder):
        """Push a course that knows no address: tools, lessons and a few exercises."""
        host = cls(folder)
        git(folder, "init", "--quiet", "--bare", "--initial-branch=main", host.bare)
        git(folder, "init", "--quiet", "--initial-branch=main", host.clone)
        few = [f"{name}/{topic}" for name in ("solutions", "exercises") for topic in FEW]
        for name in ("tools", "notebooks", *few):
            skipped = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints")
            shutil.copytree(notebook_files.ROOT / name, host.clone / name, ignore=skipped)
        for path in notebook_files.find_notebooks(host.clone, ("notebooks",)):
            if path != host.clone / WITH_OUTPUTS:
                notebook_files.write_notebook(
                    path, notebook_files.without_outputs(notebook_files.read_notebook(path))
                )
        for name in ("README.md", "pyproject.toml", ".gitignore"):
            shutil.copyfile(notebook_files.ROOT / name, host.clone / name)
        (host.clone / "address.txt").write_text(f"https://github.com/{PLACEHOLDER}\n")
        git(host.clone, "config", "user.name", "Ada")
        git(host.clone, "config", "user.email", "ada@example.org")
        git(host.clone, "remote", "add", "origin", str(host.bare))
        host.commit("The course")
        return host

    def commit(self, message):
        git(self.clone, "add", "--all")
        git(self.clone, "commit", "--quiet", "-m", message)
        git(self.clone, "push", "--quiet", "origin", "HEAD")

    def run(self, command, **variables):
        """Run a command with the clone's own tools; return its exit code and what it says."""
        env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        options = {"cwd": self.clone, "env": env | variables, "capture_output": True}
        done = subprocess.run(command, text=True, **options)
        return done.returncode, done.stdout + done.stderr

    def publish(self, *arguments):
        return self.run([sys.executable, "-m", "tools.release.publish", *arguments])

    def run_workflow(self, gh=PAGES_OFF, is_private=False):
        """Run the steps of the workflow's first job as GitHub does; return summary and outputs."""
        commands = self.folder / "commands"
        commands.mkdir(exist_ok=True)
        python = f'#!/bin/sh\nexec "{sys.executable}" "$@"\n'
        for name, text in (("gh", gh), ("python", python), ("pip", "#!/bin/sh\n")):
            (commands / name).write_text(text)
            (commands / name).chmod(0o755)
        written = {}
        for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT"):
            written[name] = self.folder / name
            written[name].write_text("")
        for step in yaml.safe_load(WORKFLOW.read_text())["jobs"]["links"]["steps"]:
            if "run" not in step or (step.get("if") and not is_private):
                continue
            code, said = self.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
                PATH=f"{commands}{os.pathsep}{os.environ['PATH']}",
                GITHUB_SERVER_URL="https://github.com",
                GITHUB_REPOSITORY="me/course",
                **{name: str(path) for name, path in written.items()},
            )
            assert code == 0, said
        return [path.read_text() for path in written.values()]


@pytest.fixture(scope="module")
def pushed(tmp_path_factory):
    return Host.pushed(tmp_path_factory.mktemp("pushed"))


@pytest.fixture
def host(pushed, tmp_path):
    shutil.copytree(pushed.folder, tmp_path, dirs_exist_ok=True)
    git(tmp_path / "clone", "remote", "set-url", "origin", str(tmp_path / "course.git"))
    return Host(tmp_path)


def notebooks_without(host, branch, text):
    """Return which notebooks of a branch that was pushed do not hold a text."""
    command = ["git", "grep", "-L", "--fixed-strings", text, branch, "--", "*.ipynb"]
    return subprocess.run(command, cwd=host.bare, capture_output=True, text=True).stdout


def test_one_push_and_the_course_knows_its_address(host):
    summary, outputs = host.run_workflow()
    assert "https://colab.research.google.com/github/me/course/blob/colab-v" in summary
    assert "[switch Pages on](https://github.com/me/course/settings/pages)" in summary
    assert f"commit={git(host.bare, 'rev-parse', 'main')}" in outputs and "pages" not in outputs
    (branch,) = [name for name in git(host.bare, "branch", "--list").split() if "colab" in name]
    for name in (branch, "main"):
        assert notebooks_without(host, name, "github/me/course/blob/colab-v") == ""
        assert f"{name}:{WITH_OUTPUTS}" in notebooks_without(host, name, PLACEHOLDER)
        lesson = nbformat.reads(git(host.bare, "show", f"{name}:{WITH_OUTPUTS}"), as_version=4)
        assert f"git+{ME}@{branch}" in setup_cells(lesson)[0].source
        assert any(cell.get("outputs") for cell in lesson.cells) == (name == "main")
        assert git(host.bare, "show", f"{name}:address.txt") == ME

    # Again: nothing to commit, so nothing goes round. After a change: one commit, no second one.
    before = git(host.bare, "rev-parse", "main")
    summary, outputs = host.run_workflow(gh=PAGES_ON)
    assert "knows its address already" in summary and "https://me.github.io/course/" in summary
    assert "pages=true" in outputs
    assert git(host.bare, "rev-parse", "main") == before
    (host.clone / "README.md").open("a").write("\nOne more line.\n")
    host.commit("A change")
    host.run_workflow()
    assert git(host.bare, "log", "-1", "--format=%s", "main") == "A change"
    assert git(host.bare, "rev-parse", f"{branch}^") == git(host.bare, "rev-parse", "main")


def test_a_protected_branch_keeps_its_files_and_colab_works(host):
    before = git(host.bare, "rev-parse", "main")
    hook = host.bare / "hooks" / "update"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(PROTECTED)
    hook.chmod(0o755)
    summary, _ = host.run_workflow(is_private=True)
    assert "it may be protected" in summary and "This repository is private" in summary
    assert git(host.bare, "rev-parse", "main") == before
    (branch,) = [name for name in git(host.bare, "branch", "--list").split() if "colab" in name]
    assert git(host.bare, "show", f"{branch}:address.txt") == ME


def test_by_hand_it_says_what_it_changed_and_what_to_push(host):
    before = git(host.bare, "rev-parse", "main")
    code, said = host.publish(ME + ".git/")
    assert code == 0, said
    assert f"The course knows its address now: {ME}." in said
    assert f'They are committed as "Links: {ME}".' in said
    assert said.rstrip().splitlines()[-1].startswith("Now push both:  git push origin HEAD && ")
    assert git(host.clone, "status", "--short", "--untracked-files=no") == ""
    assert git(host.bare, "rev-parse", "main") == before  # nothing was pushed


def test_another_host_is_told_that_colab_does_not_go_with_it(host):
    code, said = host.publish("https://gitlab.example.org/me/course")
    assert code == 0, said
    assert "Colab opens notebooks from GitHub only" in said


@pytest.mark.parametrize("address", ["", "me/course", f"https://github.com/{PLACEHOLDER}"])
def test_what_is_no_address_changes_nothing(host, address):
    code, said = host.publish(address)
    assert code == 1 and "Traceback" not in said
    assert "OWNER/REPOSITORY" in said
    assert git(host.clone, "status", "--short") == ""


def test_work_in_progress_is_not_swept_into_the_commit(host):
    (host.clone / "README.md").open("a").write("\nHalf a change\n")
    code, said = host.publish(ME)
    assert code == 1 and "First commit, or take back," in said and " M README.md" in said
    assert (host.clone / "address.txt").read_text() == f"https://github.com/{PLACEHOLDER}\n"


def test_the_workflow_runs_on_the_default_branch_and_may_write():
    workflow = yaml.safe_load(WORKFLOW.read_text())
    triggers = workflow[True]  # YAML reads `on` as true
    assert triggers["push"] == {"branches-ignore": ["colab-*"]} and "workflow_dispatch" in triggers
    links = workflow["jobs"]["links"]
    assert links["if"] == "github.ref_name == github.event.repository.default_branch"
    assert links["permissions"]["contents"] == "write"


def test_every_job_has_a_time_limit_a_cache_and_the_small_torch():
    for path in sorted((notebook_files.ROOT / ".github" / "workflows").glob("*.yml")):
        workflow = yaml.safe_load(path.read_text())
        for name, job in workflow["jobs"].items():
            assert job["timeout-minutes"] <= 180, (path.name, name)
            pythons = [s for s in job["steps"] if "setup-python" in s.get("uses", "")]
            assert all(step["with"]["cache"] == "pip" for step in pythons), (path.name, name)
            env = workflow.get("env", {}) | job.get("env", {})
            if any("make " in step.get("run", "") for step in job["steps"]):
                assert env["PIP_EXTRA_INDEX_URL"].endswith("/whl/cpu"), (path.name, name)
