#!/usr/bin/env bash
# `make page-speed`: the page's first paint and its time per frame: page_speed.sh PATH_TO_SOLOIST FOLDER, which holds
# node_modules (scripts/deps.sh fills it). Exits with 1 if a limit is not met.
set -u
here=$(cd "$(dirname "$0")" && pwd)
CHROMIUM=$(command -v chromium || command -v chromium-browser) || { echo "needs Chromium (Debian package chromium)"; exit 2; }
[ -d "$2/node_modules/playwright-core" ] || { echo "needs playwright-core (make deps fetches it)"; exit 2; }
export CHROMIUM SOLOIST_BROWSER
SOLOIST_BROWSER=$(readlink -f "$2")
exec node "$here/page_speed.mjs" "$(readlink -f "$1")"
