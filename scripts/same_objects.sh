#!/usr/bin/env bash
# Shows that two commits compile to the same object code: same_objects.sh OLD [NEW]; NEW is HEAD by default.
# Every C file of src/ is compiled at both commits, without link-time optimisation, debug information or file paths, and
# the objects are compared byte by byte, whatever their folders. Moved files, comments and formatting make no
# difference; anything else does. Files that need CUDA's headers are not compared, and the output says so.
set -eu
[ $# -ge 1 ] || { echo "usage: same_objects.sh OLD [NEW]" >&2; exit 2; }
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CC=${CC:-cc}

# file -> "hash name" of its object. File and line in assertions are made constant, since they do not affect results.
compile() {
    local object=$1.o
    "$CC" -std=gnu17 -O2 -g0 -fPIC -fno-lto -ffp-contract=off -w -Iinclude -Isrc -D__FILE__='"file"' -D__LINE__=1 \
        -Wno-builtin-macro-redefined -DSOLOIST_WITH_CUDA=0 -DSOLOIST_WITH_MPI=0 -DSOLOIST_WITH_SQLITE=1 \
        -DSOLOIST_WITH_MICROHTTPD=0 -DSOLOIST_PREFIX='"/usr"' -DSOLOIST_CHECKOUT='"."' -c "$1" -o "$object" 2> "$1.err" ||
        { echo "failed $(basename "$1"): $(head -n 1 "$1.err")"; return; }
    objcopy --strip-unneeded --remove-section=.comment "$object"
    echo "$(sha256sum < "$object" | cut -c1-32) $(basename "$1")"
}
export -f compile

for side in old new; do
    commit=${1:-HEAD}
    [ $side = old ] || commit=${2:-HEAD}
    mkdir "$work/$side"
    git archive "$commit" include src | tar -x -C "$work/$side"
    (cd "$work/$side" && find src -name '*.c' ! -path '*/cuda/*' -print0 |
        xargs -0 -n 1 -P "$(nproc)" bash -c 'compile "$0"') | sort > "$work/$side.list"
done
echo "$(wc -l < "$work/new.list") objects; not compared: src/net/cuda"
if grep -h '^failed' "$work"/*.list || ! diff "$work/old.list" "$work/new.list"; then
    echo "the object code differs"
    exit 1
fi
echo "the object code is identical"
