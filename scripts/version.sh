#!/usr/bin/env bash
# The version and the ABI number stand in include/soloist.h. Everything else reads them from there, except what tools of
# others read as it is: the Debian packages, the Python package's check of the library, and the changelog.
#   version.sh          says which of these differ, and fails if any does
#   version.sh --write  corrects them, except the two changelogs, which people write
set -u
cd "$(dirname "$0")/.." || exit 2
version=$(sed -n 's/^#define SOLOIST_VERSION "\([^"]*\)".*/\1/p' include/soloist.h)
abi=$(sed -n 's/^#define SOLOIST_ABI \([0-9]*\).*/\1/p' include/soloist.h)
[ -n "$version" ] && [ -n "$abi" ] || { echo "version: include/soloist.h states no version or no ABI number"; exit 1; }

if [ "${1-}" = --write ]; then
    sed -i -E "s/libsoloist[0-9]+/libsoloist$abi/g" debian/control
    for file in debian/libsoloist[0-9]*.*; do
        to=debian/libsoloist$abi.${file#*.}
        [ "$file" = "$to" ] || mv "$file" "$to"
    done
    sed -i -E "s/^ABI = [0-9]+/ABI = $abi/" python/soloist/_library.py
fi

bad=0
differs() { echo "version: $*"; bad=1; }
grep -qx "Package: libsoloist$abi" debian/control && ! grep -oE 'libsoloist[0-9]+' debian/control | grep -qvx "libsoloist$abi" ||
    differs "debian/control does not name the library libsoloist$abi (scripts/version.sh --write)"
[ -e "debian/libsoloist$abi.install" ] || differs "there is no debian/libsoloist$abi.install (scripts/version.sh --write)"
grep -qx "ABI = $abi .*" python/soloist/_library.py || differs "python/soloist/_library.py has another ABI than $abi (scripts/version.sh --write)"
head -n 1 debian/changelog | grep -qF "soloist ($version) " || differs "debian/changelog does not begin with $version"
grep -m 1 '^## ' CHANGELOG.md | grep -q "^## $version\b" || differs "CHANGELOG.md does not begin with $version"
exit $bad
