#!/usr/bin/env bash
# What a program that embeds the library has to link, and what it finds there: embed.sh SHARED_LIBRARY STATIC_LIBRARY PKG_CONFIG_FILE.
# Neither library may want SQLite or hold the lab, and the flags of the pkg-config file must be enough for both.
set -u
shared=$1 archive=$2 package=$3
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
faults=0
fault() { echo "[  FAILED  ] embed: $*"; faults=$((faults + 1)); }

needed=$(readelf -d "$shared" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
[ -n "$needed" ] || fault "$shared: no needed libraries found"
for library in $needed; do
    case $library in
    libc.* | libm.* | libpthread.* | libdl.* | libgcc_s.* | libatomic.* | ld-linux*) ;;
    *) fault "$shared needs $library" ;;
    esac
done
nm -A "$archive" 2> /dev/null > "$work/symbols"
[ -s "$work/symbols" ] || fault "$archive: no symbols found"
grep -m 3 -iE ' (sqlite3_|store_open|experiment_read)' "$work/symbols" && fault "$archive holds the lab or wants SQLite"

# The shared library exports the functions of the headers and nothing else.
nm -D --defined-only "$shared" | sed 's/.* //; s/@.*//' | sort > "$work/exported"
grep -v '^#' "$here/../golden/symbols.txt" | sort | diff - "$work/exported" > "$work/difference" ||
    { cat "$work/difference"; fault "$shared exports other functions than the headers declare (<: declared)"; }

private=$(sed -n 's/^Libs.private: //p' "$package")
build() { ${CC:-cc} -O1 -I"$here/../../include" "$here/embed.c" "$@" 2> "$work/err" || { cat "$work/err"; false; }; }
# The objects also hold code for link-time optimisation, which is not used here because it takes a minute.
# shellcheck disable=SC2086 # the flags are words
build -fno-lto "$archive" $private -o "$work/static" || fault "the static library does not link with: $private"
build "$shared" -Wl,-rpath,"$(dirname "$shared")" -o "$work/shared" || fault "the shared library does not link alone"
for program in static shared; do
    [ ! -x "$work/$program" ] || "$work/$program" > "$work/out" || fault "$program: $(cat "$work/out")"
done

# The wrappers for C++.
cxx=${CXX:-c++}
if command -v "$cxx" > /dev/null; then
    "$cxx" -std=c++17 -O1 -Wall -Wextra -Wpedantic -Wshadow -Werror -I"$here/../../include" "$here/embed_cpp.cpp" "$shared" \
        -Wl,-rpath,"$(dirname "$shared")" -o "$work/wrappers" 2> "$work/err" || { cat "$work/err"; fault "soloist.hpp does not compile"; }
    [ ! -x "$work/wrappers" ] || "$work/wrappers" > "$work/out" || fault "soloist.hpp: $(cat "$work/out")"
else
    echo "SKIP needs a C++ compiler (soloist.hpp)"
fi
[ $faults -eq 0 ] && echo "[       OK ] embed"
exit $((faults > 0))
