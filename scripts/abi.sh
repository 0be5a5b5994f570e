#!/usr/bin/env bash
# The public headers against the ABI number: abi.sh [--write | --grown]
# tests/golden/abi.txt holds, for the current SOLOIST_ABI, a hash of what the headers declare: types, functions and
# their parameters, macros and inline functions, without comments. If it differs, a program or plugin that was compiled
# before may crash. Then either raise SOLOIST_ABI and run `abi.sh --write`; or, if the change only adds functions at the
# end of a group (or new declarations), which older plugins survive, run `abi.sh --grown`. Also checks that the files
# which cannot read the version and the ABI number from the header state the same ones (scripts/version.sh).
set -u
cd "$(dirname "$0")/.." || exit 2
golden=tests/golden/abi.txt
number=$(sed -n 's/^#define SOLOIST_ABI \([0-9]*\).*/\1/p' include/soloist.h)
# The version changes with every release, and the number itself is compared on its own.
hash=$(for header in include/*.h; do
    echo "$header"
    "${CC:-cc}" -fpreprocessed -dD -E -P "$header" 2> /dev/null || exit 1
done | grep -v 'define SOLOIST_VERSION \|define SOLOIST_ABI ' | tr -d ' \n\t' | sha256sum | cut -d' ' -f1)
read -r known_number known_hash < <(grep -v '^#' "$golden" 2> /dev/null)
# The functions that the headers declare, which the shared library exports and nothing else (tests/embed/embed.sh):
# every name before a bracket, except those of inline functions and those that plugins define.
symbols=tests/golden/symbols.txt
declared() {
    for header in include/*.h; do
        "${CC:-cc}" -E -P -Iinclude "$header" 2> /dev/null
    done | tr '\n' ' ' | grep -oE '(static inline [a-z0-9_ ]*\*? ?)?\bsoloist_[a-z0-9_]+\(' | sort -u | awk '
        { name = $NF; sub(/^\*/, "", name); sub(/\($/, "", name) }
        /^static inline/ { inline[name] = 1; next }
        { names[name] = 1 }
        END { for (n in names) if (!(n in inline) && n !~ /^soloist_plugin/) print n }' | sort
}
write() {
    { echo "# What the shared library exports (scripts/abi.sh)"; declared; } > "$symbols"
    printf '# SOLOIST_ABI and a hash of the public headers (scripts/abi.sh)\n%s %s\n' "$number" "$hash" > "$golden"
}
case ${1-} in
--write)
    [ "$number" != "${known_number-}" ] || [ "$hash" = "${known_hash-}" ] ||
        { echo "abi: raise SOLOIST_ABI in include/soloist.h first, or use --grown" >&2; exit 1; }
    write
    bash scripts/version.sh --write
    ;;
--grown) write ;;
'')
    [ "$number" = "${known_number-}" ] || { echo "abi: SOLOIST_ABI is $number, $golden is for ${known_number-none}: run scripts/abi.sh --write" >&2; exit 1; }
    diff <(grep -v '^#' "$symbols") <(declared) > /dev/null || { echo "abi: the headers declare other functions than $symbols lists: run scripts/abi.sh --grown" >&2; exit 1; }
    [ "$hash" = "${known_hash-}" ] || { echo "abi: the public headers have changed, but SOLOIST_ABI is still $number (see scripts/abi.sh)" >&2; exit 1; }
    bash scripts/version.sh >&2 || exit 1
    ;;
*) echo "usage: abi.sh [--write | --grown]" >&2; exit 2 ;;
esac
