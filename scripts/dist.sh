#!/usr/bin/env bash
# The source as dist/soloist-VERSION.tar.xz, which builds without git: dist.sh [FOLDER]
# The same files give the same bytes: sorted, owned by nobody in particular, all of one time (SOURCE_DATE_EPOCH, by
# default the time of the last entry in debian/changelog).
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."
folder=${1:-dist}
version=$(sed -n 's/^#define SOLOIST_VERSION "\([^"]*\)".*/\1/p' include/soloist.h)
time=${SOURCE_DATE_EPOCH:-$(date -d "$(sed -n 's/^ -- .*>  //p' debian/changelog | head -n 1)" +%s)}
mkdir -p "$folder"

files() { # what git knows or would take; without git everything that is not built
    if [ -e .git ]; then
        git ls-files -z --cached --others --exclude-standard | grep -zv '^shared$\|^shared/'
    else
        find . \( -path ./build -o -path ./dist -o -name __pycache__ \) -prune -o -type f ! -name '*.o' -printf '%P\0'
    fi
}
files | sort -z | while IFS= read -r -d '' file; do [ ! -e "$file" ] || printf '%s\0' "$file"; done |
    tar --create --format=ustar --owner=0 --group=0 --numeric-owner --mode=u+rw,go+r-w,a-s --mtime="@$time" \
        --transform "s|^|soloist-$version/|" --no-recursion --null --files-from=- |
    xz -6 > "$folder/soloist-$version.tar.xz"
echo "$folder/soloist-$version.tar.xz is ready"
