#!/usr/bin/env bash
# The tests of the Python package: run.sh SHARED_LIBRARY [WORD...]; only tests whose names hold one of the words.
# Debian's python3 is preferred, because that is the one for which python3-numpy is installed; PYTHON chooses another.
set -u
SOLOIST_LIBRARY=$(readlink -f "$1")
shift
here=$(cd "$(dirname "$0")" && pwd)
for python in ${PYTHON:-/usr/bin/python3 python3}; do
    command -v "$python" > /dev/null && break
done
command -v "$python" > /dev/null || { echo "SKIP needs python3"; echo "0 passed, 0 failed, 1 skipped"; exit 0; }
export SOLOIST_LIBRARY PYTHONPATH=$here/../../python PYTHONDONTWRITEBYTECODE=1
exec "$python" -W error::ResourceWarning "$here/run.py" "$@"
