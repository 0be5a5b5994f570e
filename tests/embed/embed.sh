#!/usr/bin/env bash
# What a program that embeds the library has to link: embed.sh SHARED_LIBRARY STATIC_LIBRARY PKG_CONFIG_FILE.
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

private=$(sed -n 's/^Libs.private: //p' "$package")
build() { ${CC:-cc} -O1 -I"$here/../../include" "$here/embed.c" "$@" 2> "$work/err" || { cat "$work/err"; false; }; }
# shellcheck disable=SC2086 # the flags are words
build "$archive" $private -o "$work/static" || fault "the static library does not link with: $private"
build "$shared" -Wl,-rpath,"$(dirname "$shared")" -o "$work/shared" || fault "the shared library does not link alone"
for program in static shared; do
    [ ! -x "$work/$program" ] || "$work/$program" > "$work/out" || fault "$program: $(cat "$work/out")"
done
[ $faults -eq 0 ] && echo "[       OK ] embed"
exit $((faults > 0))
