# soloist show: pictures in the terminal, and as SVG, PNG and HTML.

test_show_text() {
    run show "$data/first.xsb" --only 1-2
    expect_rc 0
    expect_out '^1 Corridor$'
    expect_out '^#@ \$ \.#$'
    expect_out '^2 Around the corner$'
    refute_out $'\033'
    run show "$data/tiles.txt" --only 6
    expect_rc 0
    expect_out '^\| +1 \| +6 \|'
}

test_show_files() {
    cp "$data/first.xsb" levels.xsb
    run show levels.xsb --svg
    expect_rc 0
    expect_out '^levels.svg: 12 instances$'
    grep -q '>12 Small warehouse</text>' levels.svg || fault "no caption"
    run show levels.xsb --svg
    expect_rc 0
    expect_out '^levels.svg \(replaced\): 12 instances$'
    run show levels.xsb --only 3 --html
    expect_rc 0
    expect_out '^levels-3.html: 1 instance$'
    grep -q '<h1>Side door</h1>' levels-3.html || fault "no heading"
    run show levels.xsb --only 3 -o page.svg
    expect_rc 0
    run show levels.xsb --only 3 --svg -o -
    expect_rc 0
    expect_same out page.svg
    run show "$data/samegame.txt" "$data/pancakes.txt" "$data/tictactoe.txt" -o all.html
    expect_rc 0
    expect_equal "$(grep -c '<figure>' all.html)" 17
    if command -v xmllint > /dev/null; then
        xmllint --noout levels.svg page.svg 2> err || fault "xmllint refuses the SVG"
    fi
}

test_show_png() {
    run show "$data/first.xsb" --only 1 -o level.png --scale 10
    if grep -q 'without libpng' err; then
        expect_rc 2
        skip "built without libpng"
        return
    fi
    expect_rc 0
    # The signature, and in the header the size: (7 + 1) x (3 + 1) squares of 10 pixels.
    expect_equal "$(head -c 8 level.png | od -An -tx1 | tr -d ' ')" 89504e470d0a1a0a
    expect_equal "$(od -An -tx1 -j 16 -N 8 level.png | tr -d ' ')" 0000005000000028
    run show "$data/first.xsb" --only 3 --film --png -o film.png
    expect_rc 0
    expect_out '^film.png: a solution of [0-9]+ moves$'
}

test_show_film() {
    printf '#######\n#@ $ .#\n#######\nTitle: Corridor\nSolution: rlrRR\n' > level.xsb
    run show level.xsb --film --svg
    expect_rc 0
    expect_out '^level-film.svg: a solution of 5 moves$'
    # The file's own solution: five steps of 0.25 s and the pause. The player walks 1 2 1 2 3 4.
    grep -q 'dur="2.75s".*values="1 1;2 1;1 1;2 1;3 1;4 1;4 1"/><use href="#player"/>' level-film.svg || fault "another walk"
    # Where films do not move, the player and the box stand where they begin, and the box is not yet on its goal.
    grep -q '<g transform="translate(1 1)"><animateTransform.*<use href="#player"' level-film.svg || fault "the player stands elsewhere"
    grep -q '<g transform="translate(3 1)"><animateTransform.*<use href="#box">.*<use href="#stored" opacity="0">' level-film.svg ||
        fault "the box stands elsewhere"
    run show level.xsb --solution rRR -o film.html
    expect_rc 0
    grep -q 'max="3" value="0"' film.html || fault "another number of steps"
    run show level.xsb --solution rR -o film.html
    expect_rc 1
    expect_err 'show: the solution is wrong'
}

test_show_plugin() {
    build_plugin
    [ -z "$skip_reason" ] || return
    run show boards --plugin ./lights_out.so -o boards.svg
    expect_rc 0
    expect_out '^boards.svg: 2 instances$'
    run show boards --plugin ./lights_out.so --only 1 --film --svg
    expect_rc 0
}

test_show_refuses() {
    run show "$data/first.xsb" --svg -o a.png
    expect_rc 2
    expect_err '--out a.png contradicts --svg'
    [ ! -e a.png ] || fault "a.png was written"
    cp "$data/first.xsb" levels.svg
    run show levels.svg -o levels.svg
    expect_rc 2
    expect_err 'is the input'
    expect_same levels.svg "$data/first.xsb"
    run show levels.svg --film --svg -o x.svg
    expect_rc 2
    expect_err 'choose it with --only'
    run show levels.svg --svg --png
    expect_rc 2
    expect_err 'choose one'
    run show levels.svg -o picture
    expect_rc 2
    expect_err 'choose a format'
    run show levels.svg --only 1 --film
    expect_rc 2
    expect_err 'soloist play --film'
    run show levels.svg --html -o nowhere/x.html
    expect_rc 2
    expect_err 'nowhere/x.html'
    run show
    expect_rc 2
    expect_err 'which FILE'
    printf '#####\n#@$x#\n#####\n' > bad
    run show bad -o x.svg
    expect_rc 2
    expect_err '^bad:2:4'
    [ ! -e x.svg ] || fault "a picture of nothing"
}

test_show_standard_input() {
    printf '#####\n#+$ #\n# $.#\n#####\n' > level.xsb
    "$program" show - --svg < level.xsb > out
    [ -e standard-input.svg ] || fault "no standard-input.svg"
    # The goal below the player is seen.
    grep -q 'player-on-goal' standard-input.svg || fault "the player hides a goal"
}
