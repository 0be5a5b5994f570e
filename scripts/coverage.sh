#!/usr/bin/env bash
# Line coverage of the tests per floor, measured with gcov only. The lines of src/ that no test reaches are written to
# build/coverage/unreached.txt, as FILE:LINE:TEXT. Leaves out what would measure nothing: the page in the browser (its
# server has tests of its own), Python, and faults, whose commands other tests run as well.
set -eu
cd "$(dirname "$0")/.."
cmake --preset coverage > /dev/null
cmake --build build/coverage -j "$(nproc)" > /dev/null
find build/coverage -name '*.gcda' -delete
ctest --test-dir build/coverage -j "$(nproc)" --timeout 3600 -E 'browser|python|fault|storm|law|parity' > build/coverage/ctest.log ||
    { echo "some tests failed; coverage of what ran:"; grep -E '\*\*\*' build/coverage/ctest.log; }
# Headers are compiled into many objects: a line is reached if it is reached in one of them.
find build/coverage -name '*.gcda' \( -path '*floor_*' -o -path '*/soloist.dir/*' \) -print0 | xargs -0 gcov -t 2> /dev/null |
    awk '
        / 0:Source:/ { file = $0; sub(/.*0:Source:/, "", file); if (!sub(/^.*\/src\//, "src/", file)) file = ""; next }
        file == "" || !match($0, /^ *[^:]+: *[0-9]+:/) { next }
        {
            split($0, part, ":"); count = part[1]; gsub(/ /, "", count); line = part[2] + 0
            if (count == "-" || line == 0) next
            key = file ":" line
            if (count !~ /^[#=]/) reached[key] = 1
            if (!(key in text)) text[key] = substr($0, RLENGTH + 1)
        }
        END {
            for (key in text) {
                split(key, place, "/"); lines[place[2]]++; lines["all"]++
                if (key in reached) { hit[place[2]]++; hit["all"]++ } else print key ":" text[key] > "build/coverage/unreached.unsorted"
            }
            for (f in lines) printf "%-8s %6.1f %% of %d lines\n", f, 100 * hit[f] / lines[f], lines[f]
        }' | sort
sort -t: -k1,1 -k2,2n build/coverage/unreached.unsorted > build/coverage/unreached.txt
rm build/coverage/unreached.unsorted
