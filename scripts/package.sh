#!/usr/bin/env bash
# Builds the Debian packages into dist/ from the source tarball, and looks at them with lintian.
#   package.sh           builds once
#   package.sh --twice   builds a second time in another folder, in another time zone and locale, and compares the bytes
# Fails if lintian reports an error. The build's output goes to build/package/build.log.
set -eu
export PATH=/usr/sbin:/usr/bin:/sbin:/bin # Debian's own tools, whatever else this machine has
cd "$(dirname "$0")/.."
top=$PWD/build/package
version=$(sed -n 's/^#define SOLOIST_VERSION "\([^"]*\)".*/\1/p' include/soloist.h)
bash scripts/version.sh
rm -rf "$top"
mkdir -p "$top"
bash scripts/dist.sh "$top/source" > /dev/null

build_in() { # folder below $top
    mkdir -p "$top/$1"
    tar -C "$top/$1" -xf "$top/source/soloist-$version.tar.xz"
    (cd "$top/$1/soloist-$version" && dpkg-buildpackage --no-sign --jobs=auto) > "$top/build.log" 2>&1 ||
        { tail -n 40 "$top/build.log"; echo "dpkg-buildpackage failed: build/package/build.log"; exit 1; }
    rm -rf "$top/$1/soloist-$version"
}

echo "building the packages; progress is in build/package/build.log"
build_in first
lintian --fail-on error "$top"/first/*.changes
mkdir -p dist
rm -f dist/*.deb
cp "$top"/first/*.deb dist/
if [ "${1-}" = --twice ]; then
    echo "building them again"
    (export TZ=Asia/Kathmandu LC_ALL=C.UTF-8; build_in second/deeper)
    for file in "$top"/first/*.deb "$top"/first/*.dsc "$top"/first/*.tar.xz; do
        cmp "$file" "$top/second/deeper/${file##*/}"
    done
    echo "both builds give the same bytes"
fi
(cd dist && ls -- *.deb | sed 's/^/ready: dist\//')
