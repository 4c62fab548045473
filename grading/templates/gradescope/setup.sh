#!/bin/sh
# Gradescope runs this once, as root, when it builds the image: it brings Python and the course.
set -e
root=${AUTOGRADER:-/autograder}
cd "$root/source"
apt-get update
apt-get install -y python3 python3-venv python3-pip bubblewrap
# The image's Python may be too old; uv brings another.
python3 -m pip install uv || python3 -m pip install --break-system-packages uv
# PyTorch without CUDA: Gradescope's machines have no GPU.
export PIP_EXTRA_INDEX_URL=https://download.pytorch.org/whl/cpu
sh tools/release/install.sh "$root/venv" instructor python3 uv
