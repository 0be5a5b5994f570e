#!/usr/bin/env bash
# Tests of the page: run.sh PATH_TO_SOLOIST FOLDER [WORD...]; FOLDER holds node_modules (scripts/deps.sh fills it)
# First the page's rules against the referee, which needs only Node, then the page in Chromium. What is not installed
# is skipped with a line that says so.
set -u
program=$(readlink -f "$1") folder=$(readlink -f "$2")
shift 2
here=$(cd "$(dirname "$0")" && pwd)
skip() { echo "SKIP $1"; echo "0 passed, 0 failed, 1 skipped"; }

command -v node > /dev/null || { skip "needs Node (Debian package nodejs)"; exit 0; }
status=0
[ $# -gt 0 ] || node "$here/rules.mjs" "$program" || status=1
if "$program" serve --port 1 --address nowhere 2>&1 | grep -q 'built without'; then
    skip "needs a program with libmicrohttpd"
    exit $status
fi
CHROMIUM=$(command -v chromium || command -v chromium-browser) || { skip "needs Chromium (Debian package chromium)"; exit $status; }
[ -d "$folder/node_modules/playwright-core" ] || { skip "needs playwright-core and axe-core (make deps fetches them)"; exit $status; }
export CHROMIUM SOLOIST_BROWSER=$folder
for tests in "$here"/page.mjs "$here"/watch.mjs; do
    node "$tests" "$program" "$@" || status=1
done
exit $status
