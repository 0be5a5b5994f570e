#!/bin/sh
# Draws a solved Sokoban level as an animated SVG: picture.sh LEVELS NUMBER > docs/solved.svg
set -eu
cd "$(dirname "$0")/.."
build/soloist play "$1" --only "$2" --all --ascii | awk '
    / of [0-9]+/ { frame++; row = 0; next }
    NF { line[frame, row++] = $0; if (length($0) > width) width = length($0); if (row > height) height = row }
    # Boxes are tracked from frame to frame: the cell that lost a box and the cell that gained one belong to the same box.
    function cell(f, x, y) { return substr(line[f, y], x + 1, 1) }
    END {
        size = 28
        seconds = frame * 0.16 + 2
        printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\">\n", width * size, height * size, width * size
        for (y = 0; y < height; y++) for (x = 0; x < width; x++) {
            c = cell(1, x, y)
            if (c == "#") printf "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#4a5568\"/>\n", x * size, y * size, size, size
            if (c == "." || c == "*" || c == "+") printf "<circle cx=\"%d\" cy=\"%d\" r=\"6\" fill=\"#d69e2e\"/>\n", x * size + size / 2, y * size + size / 2
            if (c == "$" || c == "*") { bx[boxes] = x; by[boxes] = y; boxes++ }
            if (c == "@" || c == "+") { px = x; py = y }
        }
        for (b = 0; b < boxes; b++) { xs[b] = bx[b] * size; ys[b] = by[b] * size }
        pxs = px * size; pys = py * size; times = 0
        for (f = 2; f <= frame; f++) {
            for (y = 0; y < height; y++) for (x = 0; x < width; x++) {
                c = cell(f, x, y)
                if (c == "@" || c == "+") { px = x; py = y }
            }
            for (b = 0; b < boxes; b++) if (bx[b] == px && by[b] == py)
                for (y = py - 1; y <= py + 1; y++) for (x = px - 1; x <= px + 1; x++) {
                    c = cell(f, x, y)
                    taken = 0
                    for (o = 0; o < boxes; o++) if (bx[o] == x && by[o] == y) taken = 1
                    if ((c == "$" || c == "*") && !taken) { bx[b] = x; by[b] = y }
                }
            times = times ";" (f - 1) * 0.16 / seconds
            pxs = pxs ";" px * size; pys = pys ";" py * size
            for (b = 0; b < boxes; b++) { xs[b] = xs[b] ";" bx[b] * size; ys[b] = ys[b] ";" by[b] * size }
        }
        for (b = 0; b < boxes; b++) {
            printf "<rect width=\"%d\" height=\"%d\" rx=\"4\" fill=\"#b7791f\" stroke=\"#744210\" stroke-width=\"2\">", size, size
            move("x", xs[b]); move("y", ys[b]); print "</rect>"
        }
        printf "<circle r=\"9\" cx=\"%d\" cy=\"%d\" fill=\"#2b6cb0\"><animateTransform attributeName=\"transform\" type=\"translate\" calcMode=\"discrete\" dur=\"%.2fs\" repeatCount=\"indefinite\" keyTimes=\"%s\" values=\"", size / 2, size / 2, seconds, times
        n = split(pxs, a, ";"); split(pys, d, ";")
        for (i = 1; i <= n; i++) printf "%s%d %d", (i > 1 ? ";" : ""), a[i], d[i]
        print "\"/></circle>\n</svg>"
    }
    function move(name, values) {
        printf "<animate attributeName=\"%s\" calcMode=\"discrete\" dur=\"%.2fs\" repeatCount=\"indefinite\" keyTimes=\"%s\" values=\"%s\"/>", name, seconds, times, values
    }'
