"""node, which computes what the browser would."""

import json
import os
import shutil
import subprocess

import pytest


@pytest.fixture(scope="session")
def run_node():
    """A function that runs node, hands it something as JSON, and returns what it prints."""
    node = shutil.which("node")
    if node is None:
        reason = "no node on PATH: what the browser computes is not compared with torch's"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)

    def run(*arguments, sent=None, **variables):
        command, environment = [node, *map(str, arguments)], os.environ | variables
        done = subprocess.run(
            command, input=json.dumps(sent), env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run
