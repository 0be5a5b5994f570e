#!/bin/sh
# Installs the Debian packages that are missing for `build`, `test`, `levels`, `reference` or `package` if run as root;
# otherwise prints the command to run. A tool that is already installed, however it got there, is not requested.
set -u
want=${1:-build}
missing=""
wished="" # what only some tests need: without it they are skipped

need_command() { command -v "$1" > /dev/null 2>&1 || missing="$missing $2"; }
need_header() {
    printf '#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <setjmp.h>\n#include <%s>\n' "$1" |
        cc -E -x c - > /dev/null 2>&1 || missing="$missing $2"
}
need_sanitizers() {
    printf 'int main(void){return 0;}\n' |
        clang -fsanitize=address,undefined -x c - -o /dev/null > /dev/null 2>&1 || missing="$missing libclang-rt-dev"
}
# Packages for Debian's own python3, which the tests of the Python package use.
wish_python() { /usr/bin/python3 -c "import $1" > /dev/null 2>&1 || wished="$wished $2"; }
wish_command() { command -v "$1" > /dev/null 2>&1 || wished="$wished $2"; }
wish_header() { # MPI's header is in a folder of its own
    find /usr/include /usr/lib/*/openmpi /usr/lib/*/mpich -name "$1" 2> /dev/null | grep -q . || wished="$wished $2"
}
need_package() { dpkg-query -W -f '${Status}' "$1" 2> /dev/null | grep -q 'ok installed' || missing="$missing $1"; }

case $want in
levels)
    need_package cavepacker-data
    need_package enigma-data
    ;;
reference) need_command doxygen doxygen ;;
package) # what debian/control asks for, and what looks at the packages and tries them
    need_command cc build-essential
    for package in cmake debhelper dh-python dpkg-dev libmicrohttpd-dev libpng-dev libsqlite3-dev \
        pybuild-plugin-pyproject python3-all python3-setuptools python3-wheel lintian mmdebstrap; do
        need_package $package
    done
    ;;
build | test)
    need_command cc build-essential
    need_command cmake cmake
    ;;
*)
    echo "deps.sh: expected build, test, levels, reference or package, not '$want'" >&2
    exit 2
    ;;
esac
if [ "$want" = test ]; then
    need_command clang clang
    need_command gcc gcc
    need_command c++ g++
    need_command pkg-config pkg-config
    need_header cmocka.h libcmocka-dev
    need_header sqlite3.h libsqlite3-dev
    need_header png.h libpng-dev
    need_header microhttpd.h libmicrohttpd-dev
    need_header cblas.h libopenblas-dev
    need_command gnuplot gnuplot-nox
    need_sanitizers
    wish_command mpirun openmpi-bin
    wish_header mpi.h libopenmpi-dev
    wish_command node nodejs
    wish_command npm npm
    wish_command chromium chromium
    wish_command strace strace
    wish_python numpy python3-numpy
    wish_python build.__main__ python3-build
    wish_python wheel python3-wheel
    wish_python setuptools python3-setuptools
    wish_python ensurepip python3-venv
fi

# The browser tests drive Chromium by two packages of Node, of exactly the locked content.
fetch_node_packages() {
    here=$(cd "$(dirname "$0")/.." && pwd)
    to=$here/build/browser
    command -v npm > /dev/null 2>&1 || return 0
    cmp -s "$here/tests/browser/package-lock.json" "$to/package-lock.json" && [ -d "$to/node_modules" ] && return 0
    mkdir -p "$to"
    cp "$here/tests/browser/package.json" "$here/tests/browser/package-lock.json" "$to"
    (cd "$to" && npm ci --ignore-scripts --no-audit --no-fund > npm.log 2>&1) ||
        { rm -f "$to/package-lock.json"; echo "could not fetch playwright-core and axe-core: the browser tests will be skipped"; }
}

if [ -z "$missing$wished" ]; then
    [ "$want" != test ] || fetch_node_packages
    exit 0
fi
if [ -z "$missing" ] && { ! command -v apt-get > /dev/null 2>&1 || [ "$(id -u)" != 0 ]; }; then
    echo "not installed:$wished; the tests that need them will be skipped"
    exit 0
fi
if ! command -v apt-get > /dev/null 2>&1; then
    echo "Missing (Debian package names):$missing$wished" >&2
    exit 1
fi
if [ "$(id -u)" != 0 ]; then
    echo "Missing packages. Run this, then again what you ran:" >&2
    echo "    sudo apt-get install -y$missing$wished" >&2
    exit 1
fi
# Another package manager may be running. apt-get waits only for some of its locks, and only in newer versions, so it is
# called again until it gets them, for at most ten minutes.
says=$(mktemp) || exit 1
trap 'rm -f "$says"' EXIT
tries=0
apt() {
    until LC_ALL=C apt-get "$@" > "$says" 2>&1; do
        grep -qE 'Could not get lock|Unable to (lock|acquire)' "$says" && [ $tries -lt 120 ] || return 1
        [ $tries -gt 0 ] || echo "another program is installing packages: waiting for it to finish"
        tries=$((tries + 1))
        sleep 5
    done
}

echo "installing:$missing$wished"
export DEBIAN_FRONTEND=noninteractive
install() { apt install -y --no-install-recommends "$@" || { apt update && apt install -y --no-install-recommends "$@"; }; }
# shellcheck disable=SC2086
[ -z "$missing" ] || install $missing || { cat "$says" >&2; echo "could not install:$missing" >&2; exit 1; }
# shellcheck disable=SC2086
[ -z "$wished" ] || install $wished || echo "could not install:$wished; the tests that need them will be skipped"
[ "$want" != test ] || fetch_node_packages
