# Files: where they come from, what is wrong with them.

# Three good levels and two bad ones.
write_mixed() {
    printf '#####\n#@$.#\n#####\nTitle: fine\n\n'
    printf '#####\n#@$ #\n#####\nTitle: no goal\n\n'
    printf '######\n#@ $.#\n######\nTitle: also fine\n\n'
    printf '#####\n#$ .#\n#####\nTitle: no player\n\n'
    printf '#####\n#.$@#\n#####\nTitle: last\n'
}

test_input_batch_goes_on() {
    write_mixed > file
    run solve file --json
    expect_rc 2
    expect_json
    expect_lines 5
    expect_field status '"solved"'
    expect_field status '"invalid"' 2
    expect_field status '"solved"' 3
    expect_field status '"invalid"' 4
    expect_field status '"solved"' 5
    expect_field solution null 2
    grep -qE '"id":2.*"error":"[^"]+","line":[0-9]+,"column":[0-9]+\}' out || fault "an error has its place"
    expect_err '^file:[0-9]+:[0-9]+: '
    run solve file
    expect_rc 2
    expect_out '^3 solved, 2 invalid of 5 in '
}

test_input_invalid_beats_unsolved() {
    { printf '2 2 1\n'; write_endless; } > file
    run solve file --method bfs --nodes 50 --json
    expect_rc 2
    expect_field status '"invalid"'
    expect_field status '"unsolved"' 3
}

test_input_standard_input() {
    "$program" solve - --json < "$data/first.xsb" --only 1 > out 2> err
    rc=$? last="soloist solve - --json --only 1"
    expect_rc 0
    expect_json
    expect_field file '"-"'
    expect_field name '"Corridor"'
}

test_input_standard_input_twice() {
    "$program" solve - - < "$data/first.xsb" > out 2> err
    rc=$? last="soloist solve - -"
    expect_rc 2
    expect_err '^soloist: -: standard input can be read only once'
}

test_input_line_ends_and_byte_order_mark() {
    run solve "$data/first.xsb" --only 1-4 --method bfs --json
    sed 's/"time_s":[^,]*//; s/"file":[^,]*//' out > plain
    { printf '\357\273\277'; sed 's/$/\r/' "$data/first.xsb"; } > dos
    run solve dos --only 1-4 --method bfs --json
    expect_rc 0
    sed 's/"time_s":[^,]*//; s/"file":[^,]*//' out > from_dos
    expect_same plain from_dos
    { printf '\357\273\277'; sed 's/$/\r/' "$data/samegame.txt"; } > dos
    run solve dos --only 1 --nodes 500 --json
    expect_rc 0
    expect_field name '"four by four"'
}

test_input_missing_file() {
    run solve nowhere.xsb "$data/first.xsb:1" --json
    expect_rc 2
    expect_err 'nowhere\.xsb: no such file or level set'
    expect_lines 1
    expect_field status '"solved"'
}

test_input_folder() {
    mkdir folder
    run solve folder
    expect_rc 2
    expect_err 'folder: this is a folder; expected a file'
}

# A wrong selection is told apart from a missing file, and a missing file brings no warning about options.
test_input_wrong_selection() {
    run solve "$data/first.xsb:a-b"
    expect_rc 2
    expect_err 'first\.xsb:a-b: no such file; expected numbers from 1 and ranges after the colon'
    run solve nowhere.xsb --first
    expect_rc 2
    expect_equal "$(wc -l < err)" 1
}

# A stack that is too large is a stack: the reason is given without --domain.
test_input_large_stack() {
    seq -s ' ' 129 -1 1 > file
    run solve file
    expect_rc 2
    expect_err '^file:1:1: a pancake larger than 128$'
}

# recognised DOMAIN TEXT: the domain of a file, or null.
recognised() {
    printf "$2" > file
    run solve file --json --nodes 100
    expect_field domain "$1"
}

# Columns are counted from the beginning of the line, although the second board begins in its middle.
test_input_columns_of_boards_on_one_line() {
    local start
    for start in '' '\357\273\277' '\r' '\n\n'; do
        printf "$start"'[[[1,2],[2,1]],[[1,2],[2,"x!"]],\n[[1,1],[2,55]]]\n' > boards.json
        run solve boards.json --domain samegame --iterations 10
        expect_rc 2
        expect_out 'line [123], column 28: expected a digit, a letter or .*, found !'
        expect_out 'line [234], column 11: expected a colour from 0 to 9'
    done
}

# docs/GUIDE.md says which boards with spaces or letters are SameGame.
test_input_boards_of_samegame() {
    recognised '"samegame"' '1 2 2\n1 1 2\n3 3 1\n'
    recognised '"samegame"' '1,2,2\n1,1,2\n'
    recognised '"samegame"' '1 2 2 3\n1 1 2 3\n3 3 1 2\n1 2 3 3\n'
    recognised '"pancake"' '1 2 2\n3 2 1\n'
    recognised '"samegame"' 'aabb\nabca\nccaa\nabcb\n'
    recognised '"samegame"' 'aab\nabb\nbba\n'
    recognised null 'aab\nabc\ncca\n'
    recognised null 'aabb\naabb\n'
}

test_input_of_no_domain() {
    printf 'once upon a time\n' > tale
    run solve tale --json
    expect_rc 2
    expect_json
    expect_field status '"invalid"'
    expect_field domain null
    expect_err '^tale:1:1: not recognised'
    run solve tale --domain sokoban
    expect_rc 2
    : > empty
    run solve empty
    expect_rc 2
    refute_out '0 instances'
    expect_out '^empty:$'
}

test_input_bytes_of_every_kind() {
    head -c 4096 /dev/zero > zeros
    printf '\377\376\000\001####\n@$.\n' > junk
    head -c 30000 "$program" > machine_code
    local file
    for file in zeros junk machine_code; do
        run solve "$file" --json --nodes 100
        expect_rc 2
        expect_json
    done
}

test_input_domain_by_name() {
    printf '3 1 2\n' > file
    run solve file --domain pancake:gap=1 --json
    expect_rc 0
    expect_field domain '"pancake"'
}

test_input_names_are_cleaned() {
    printf '; a "quoted" \\ name\n\n#####\n#@$.#\n#####\n' > file
    run solve file --json
    expect_rc 0
    expect_json
    grep -qF '"name":"a \"quoted\" \\ name"' out || fault "the name is not escaped"
}

# ---- level sets by name ----

test_input_set_of_ours() {
    run solve first:1-2 --json
    expect_rc 0
    expect_lines 2
    expect_field file '"first"'
}

# The two packages' forms, under folders of our own.
write_packages() {
    mkdir -p maps soko/skinner_microban01
    printf '#####\n#@$.#\n#####\n' > maps/xsokoban0001.sok
    printf 'r\n' > maps/xsokoban0001.sol
    printf ';  2\n\n######\n#@ $.#\n######\n' > maps/xsokoban0002.sok
    printf 'r1r\n' > maps/xsokoban0002.sol
    printf '\n; 1\n\n#####\n#.$@#\n#####\n\n; 2 named\n\n######\n#. $@#\n######\n' > soko/skinner_microban01/skinner_microban01.txt
}

test_input_set_one_level_a_file() {
    write_packages
    export SOLOIST_LEVELS=$PWD/maps:$PWD/soko
    run solve xsokoban --json
    expect_rc 0
    expect_json
    expect_lines 2
    expect_field file '"xsokoban"'
    expect_field solution '"R"'
    expect_field id 2 2
    run solve xsokoban:2 --json
    expect_lines 1
    expect_field id 2
    run check xsokoban xsokoban --any-case
    expect_rc 0
    expect_out '^2 ok, 0 rejected'
    run check xsokoban xsokoban
    expect_rc 1
    unset SOLOIST_LEVELS
}

test_input_set_a_folder_a_set() {
    write_packages
    export SOLOIST_LEVELS=$PWD/maps:$PWD/soko
    local name
    for name in microban microban1 microban01; do
        run solve $name --json
        expect_rc 0
        expect_lines 2
        expect_field name '"2 named"' 2
    done
    run info levels
    expect_rc 0
    expect_out '^  microban1 +sokoban +2 '
    expect_out '^  xsokoban +sokoban +2 '
    expect_out '^  first +sokoban +12 '
    unset SOLOIST_LEVELS
}

# The names of a known set are also those of a file of one's own.
test_input_set_a_file_a_set() {
    mkdir own
    printf '#####\n#@$.#\n#####\nTitle: Own\n' > own/microban1.xsb
    export SOLOIST_LEVELS=$PWD/own
    local name
    for name in microban microban1 microban01; do
        run solve $name --json
        expect_rc 0
        expect_field name '"Own"'
    done
    unset SOLOIST_LEVELS
}

test_input_set_not_installed() {
    run solve sasquatch12 --only 1 --nodes 1
    if [ $rc -ne 2 ]; then
        skip "needs a machine without the level packages"
        return
    fi
    expect_err 'make levels'
    expect_err 'apt-get install cavepacker-data enigma-data'
}

test_input_set_misspelt() {
    run solve frist
    expect_rc 2
    expect_err 'did you mean first\?'
}

# A number that no instance has is reported, but what is there is solved.
test_input_selection_beyond_the_last() {
    run solve "$data/first.xsb" --only 7,99 --quiet
    expect_rc 0
    expect_equal "$(cat err)" 'soloist: warning: --only 7,99: there is no instance 99'
    run solve "$data/first.xsb:1,13" --quiet
    expect_rc 0
    expect_err 'first.xsb:1,13: there is no instance 13$'
    run solve "$data/first.xsb" "$data/pancakes.txt" --only 1,12- --quiet
    expect_silence err
}

# Blanks at the start of all lines do not count as columns, and errors have the columns of the file.
test_input_indented_board() {
    printf '%105s\n' '#####' '#@$.#' '#####' > level.xsb
    run solve level.xsb --json
    expect_rc 0
    expect_field solution '"R"'
    sed 's/[$]/@/' level.xsb > wrong.xsb
    run solve wrong.xsb
    expect_rc 2
    expect_err '^wrong.xsb:2:103: a second player'
}

test_input_looks_like_something_else() {
    printf '<?xml version="1.0"?>\n<SokobanLevels/>\n' > file
    run solve file
    expect_rc 2
    expect_err '^file:1:1: an XML or HTML file, which cannot be read'
    printf '; nothing\n' > file
    run solve file
    expect_err '^file:1:1: the file has only comments$'
    printf '1 2 3\n4 5 6\n7 0 8\n' > file
    run solve file
    expect_err 'a board of tiles or a stack of pancakes must be on one line$'
}
