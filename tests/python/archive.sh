#!/usr/bin/env bash
# From the project's source archive to a wheel in use: unpacks the last commit, makes the Python source archive and from
# it a wheel, for which CMake compiles the library, installs the wheel into an empty virtual environment, and uses it.
# Takes some minutes, so `make test-all` runs it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-/usr/bin/python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset SOLOIST_LIBRARY PYTHONPATH
mkdir "$work/source"
git -C "$here/../.." archive HEAD | tar -x -C "$work/source"
(cd "$work/source" && "$python" -m build --no-isolation) > "$work/log" 2>&1 || { tail -n 40 "$work/log"; exit 1; }
"$python" -m venv "$work/empty"
"$work/empty/bin/python" -m pip install --quiet --no-index --no-deps "$work"/source/dist/soloist-*.whl
cd "$work"
empty/bin/python "$here/used.py" "$("$python" -c 'import numpy, pathlib; print(pathlib.Path(numpy.__file__).parents[1])')"
