#!/bin/sh
# Install the course: install.sh FOLDER EXTRAS CANDIDATE...   (`make` calls it)
#
# FOLDER becomes a virtual environment of the first candidate that is a suitable Python. The
# candidate `uv` stands for a Python that uv finds or downloads. Without candidates, FOLDER is one
# already, and gets more. EXTRAS are those of pyproject.toml. Whatever goes wrong, the last lines
# say what to do.
set -u

# Nobody should meet 3.14.1: it has a bug for which networkx, which torch needs, refuses it.
SUITABLE='import sys
sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14) or sys.version_info[:3] == (3, 14, 1))'
FOR_UV='>=3.11,!=3.14.1,<3.15'

say() { printf '%s\n' "$@" >&2; }

venv=$1 extras=$2
shift 2
python= without_venv=
[ $# -gt 0 ] || python=$venv/bin/python
for candidate in "$@"; do
    if [ "$candidate" = uv ]; then
        command -v uv >/dev/null && { python=uv && break; }
    elif "$candidate" -c "$SUITABLE" 2>/dev/null; then
        "$candidate" -c 'import ensurepip, venv' 2>/dev/null && { python=$candidate && break; }
        without_venv=${without_venv:-$candidate}
    fi
done

if [ -z "$python" ] && [ -n "$without_venv" ]; then
    version=$("$without_venv" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    say "$without_venv is Python $version without its venv module, so nothing can be installed." \
        "On Debian and Ubuntu:  sudo apt install python$version-venv   Then run make again." \
        "Where you may not do that: install uv (https://docs.astral.sh/uv/); make then uses it."
    exit 1
elif [ -z "$python" ]; then
    say "The course needs Python 3.11, 3.12, 3.13 or 3.14 (but 3.14.1). Not found among: $*" \
        "Install one, or install uv (https://docs.astral.sh/uv/), which brings one." \
        "If yours has another name:  make PYTHON=/path/to/python lab"
    exit 1
fi

explain() { # what was said by the command that failed
    case $1 in
    *"No space left on device"* | *"Disk quota exceeded"*)
        say "The disk is full. The packages take 2 GB; on Linux, with PyTorch's CUDA libraries, 8 GB." \
            "Besides $venv, pip needs room for what it unpacks in ${TMPDIR:-/tmp} (another:  TMPDIR=...)." \
            "On Linux without a GPU, the small PyTorch is enough (README.md, \"Start\"). Free now:"
        df -Ph "$venv" "${TMPDIR:-/tmp}" >&2
        ;;
    *"establish a new connection"* | *"ConnectionError"* | *"NameResolutionError"* | \
        *"name resolution"* | *"timed out"* | *"Network is unreachable"* | *"dns error"* | \
        *"ProxyError"* | *"SSLError"*)
        say "The package index could not be reached. Is this computer online? Behind a proxy, set" \
            "HTTPS_PROXY; for a mirror of PyPI, set PIP_INDEX_URL. Then run make again: what was" \
            "loaded is kept."
        ;;
    *"Permission denied"* | *"Read-only file system"*)
        say "This folder may not be written. Take a copy of the course into a folder of yours. Or let" \
            "its owner run  make lab  once: then  make lab MY=folder  puts your copies elsewhere."
        ;;
    *)
        say "The installation failed. The lines above say why. When that is mended, run make again;" \
            "after  make clean  it begins from nothing."
        ;;
    esac
    exit 1
}

# The progress of $@ goes to the terminal at once; what it says of errors is also kept.
run() {
    said=$("$@" 2>&1 >&3) || {
        say "$said"
        explain "$said"
    }
} 3>&1

if [ $# -eq 0 ]; then
    echo "Installing into $venv what this needs besides ($extras), this one time:"
    echo "it takes a minute or two."
else
    if [ "$python" = uv ]; then
        echo "No suitable Python was found here. uv looks for one, or downloads it."
        run uv venv --quiet --seed --allow-existing --python "$FOR_UV" "$venv"
    else
        run "$python" -m venv "$venv"
    fi
    echo "Installing the course into $venv with $("$venv/bin/python" --version), this one time:"
    echo "PyTorch, JupyterLab and what they need, about 110 packages. PyTorch is large: pip loads"
    echo "0.3 GB, on Linux with CUDA libraries 3 GB, and that takes some minutes."
fi
run "$venv/bin/python" -m pip install --disable-pip-version-check --no-compile \
    -c constraints.txt -e ".[$extras]"
if [ $# -gt 0 ]; then
    # pip would compile on one core. Some packages hold files for other Pythons, which do not
    # compile. Of what is installed later little is imported, and compiled then.
    "$venv/bin/python" -m compileall -qq -j 0 "$venv/lib" || true
fi
echo "The course is installed."
