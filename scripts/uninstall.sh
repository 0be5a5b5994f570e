#!/bin/sh
# Removes the files that `make install` has listed, and the folders of ours that are then empty: uninstall.sh MANIFEST
# [DESTDIR]
set -eu
manifest=$1 destination=${2-}
[ -e "$manifest" ] || { echo "uninstall: $manifest is missing: nothing was installed from this checkout" >&2; exit 1; }
removed=0
while IFS= read -r file || [ -n "$file" ]; do
    [ -e "$destination$file" ] || [ -L "$destination$file" ] || continue
    rm -f "$destination$file"
    removed=$((removed + 1))
    folder=${file%/*}
    while [ -n "$folder" ]; do
        case ${folder##*/} in
        soloist | Soloist | experiments | networks) rmdir "$destination$folder" 2> /dev/null || break ;;
        *) break ;;
        esac
        folder=${folder%/*}
    done
done < "$manifest"
echo "$removed files removed"
