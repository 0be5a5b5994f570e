#!/usr/bin/env bash
# Checks the map: every file of src/, web/, python/, cmake/, scripts/ and tests/ is named in docs/HACKING.md, and every
# name there exists.
# In the map a heading "### `FOLDER/`" is followed by lines "- `name`, `name`: phrase". A name stands for every file of
# that folder called name.c, name.h, name.cu, name.sh and so on; "name/" stands for everything below a folder. Paths in
# backticks elsewhere on the page must exist as well, unless they hold a placeholder (capital letters or *).
set -u
cd "$(dirname "$0")/.."
map=docs/HACKING.md
bad=0
complain() { echo "map: $*"; bad=1; }

declare -A named=()
folder= number=0
while IFS= read -r line; do
    number=$((number + 1))
    case "$line" in
    '### `'*) folder=${line#'### `'} folder=${folder%%'/`'*} ;;
    '#'*) folder= ;;
    '- `'*)
        [ -n "$folder" ] || continue
        names=${line#- } names=${names%%:*} names=${names//[\`,]/ }
        for name in $names; do
            found=
            case "$name" in
            */)
                while IFS= read -r file; do named[$file]=1 found=1; done \
                    < <(find "$folder/$name" -type f 2> /dev/null | sed 's|//*|/|g')
                ;;
            *)
                for file in "$folder/$name" "$folder/$name".*; do
                    [ -f "$file" ] && named[$file]=1 found=1
                done
                ;;
            esac
            [ -n "$found" ] || complain "$map:$number: there is no $folder/$name"
        done
        ;;
    esac
done < "$map"

while IFS= read -r file; do
    [ -n "${named[$file]:-}" ] || complain "$file is not on the map ($map)"
done < <(find src web python cmake scripts tests -type f ! -name '.*' ! -name '*.pyc' 2> /dev/null | sort)

while IFS= read -r path; do
    [ -e "$path" ] || complain "$map names $path, which does not exist"
done < <(grep -oE '`(src|web|python|tests|include|docs|data|examples|scripts|completions|cmake)/[^` ]*`' "$map" | tr -d '`' |
    grep -v '[A-Z*]' | sort -u)
exit $bad
