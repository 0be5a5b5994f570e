# soloist check: the referee accepts what is right and refuses everything else.

level=3 # "Side door" of first.xsb

# One JSON line with the level's solution, changed by a sed script.
claim() { sed "$1" solved.json > claimed.json; }

solve_level() {
    run solve "$data/first.xsb" --only $level --optimal pushes --json --time 60
    expect_rc 0
    cp out solved.json
}

test_check_json() {
    run solve "$data/first.xsb:1-9" --json --time 60
    cp out solved.json
    run check "$data/first.xsb:1-9" solved.json
    expect_rc 0
    expect_out '^9 ok, 0 rejected, 0 missing, 0 invalid$'
    run check "$data/first.xsb:1-9" solved.json --json
    expect_rc 0
    expect_lines 9
    expect_field verdict '"ok"'
    expect_field pushes 2
    expect_field moves 3
    run check "$data/first.xsb:1-9" solved.json --quiet
    expect_lines 1
    run check "$data/first.xsb:1-10" solved.json --quiet --json
    expect_rc 1
    expect_lines 1
    expect_field verdict '"missing"'
}

test_check_collection() {
    run solve "$data/first.xsb:1-9" --time 60 --out solved.sok --quiet
    expect_rc 0
    grep -q '^Title: Corridor$' solved.sok || fault "no title"
    grep -qE '^Solution' solved.sok || fault "no solution"
    run check "$data/first.xsb:1-9" solved.sok
    expect_rc 0
    expect_out '^9 ok'
    run check solved.sok solved.sok
    expect_rc 0
    expect_out '^9 ok'
}

test_check_collection_with_some() {
    run solve "$data/first.xsb" --only 2,4 --out solved.sok --quiet
    run check "$data/first.xsb" solved.sok
    expect_rc 1
    expect_out '^2 ok, 0 rejected, 10 missing'
    run check "$data/first.xsb" solved.sok --only 2,4
    expect_rc 0
}

# What `solve --lurd` prints about a selection is about the same selection; lines for all instances are counted through.
test_check_lines_of_a_selection() {
    "$program" solve "$data/first.xsb:3-4" --lurd > some
    "$program" solve "$data/first.xsb" --lurd > all
    for lines in some all; do
        run check "$data/first.xsb:3-4" "$lines"
        expect_rc 0
        expect_out '^2 ok, 0 rejected'
    done
    # Of other instances they are found by name.
    "$program" solve "$data/first.xsb:9-10" --lurd > some
    run check "$data/first.xsb" some
    expect_rc 1
    expect_out '^2 ok, 0 rejected, 10 missing'
    expect_out '^  10  The shelf +ok '
    run check "$data/first.xsb" some --only 10
    expect_rc 0
}

test_check_short_solution_with_a_wrong_letter() {
    for solution in 'dR.' 'd,R' 'dR ; my note'; do
        printf '######\n#@   #\n# $. #\n#    #\n######\nTitle: B\nSolution: %s\n' "$solution" > file.sok
        run check file.sok
        expect_rc 1
        expect_out 'rejected +move [23]: unknown letter'
    done
}

test_check_lines() {
    run solve "$data/pancakes.txt" --only 1-3 --method bfs --json
    grep -oE '"solution":\[[0-9,]*\]' out | cut -d: -f2 > lines
    run check "$data/pancakes.txt" lines --only 1-3
    expect_rc 0
    expect_out '^3 ok'
    { echo '; comment'; sed -n 1p lines; echo; echo '-'; sed -n 3p lines; } > holes
    run check "$data/pancakes.txt" holes --only 1-3
    expect_rc 1
    expect_out '^2 ok, 0 rejected, 1 missing'
    for _ in 1 2 3 4 5 6 7 8; do echo '[2]'; done > many
    run check "$data/pancakes.txt" many
    expect_rc 2
    expect_err 'more solutions than the 7 instances'
}

test_check_out_of_other_domains() {
    run solve "$data/pancakes.txt" --only 2,5 --method bfs --out solved.txt --quiet
    expect_rc 0
    grep -q '^; 5' solved.txt || fault "no number above the solution"
    run check "$data/pancakes.txt" solved.txt --only 2,5
    expect_rc 0
    run solve "$data/samegame.txt" --only 1-3 --nodes 2000 --out solved.txt --quiet
    run check "$data/samegame.txt" solved.txt --only 1-3
    expect_rc 0
}

# Each mutation must be refused, with a place or a reason.
test_check_refuses_sokoban_mutations() {
    solve_level
    local solution script
    solution=$(field solution | tr -d '"')
    local last_letter=${solution: -1}
    for script in \
        "s/$solution/${solution%?}/" \
        "s/$solution/${solution#?}/" \
        "s/$solution/${solution}x/" \
        "s/$solution//" \
        "s/$solution/$(rev <<< "$solution")/" \
        "s/$solution/${solution%?}${last_letter,}/" \
        "s/$solution/$(tr lurdLURD rdluRDLU <<< "$solution")/" \
        "s/$solution/${solution}${solution}/" \
        "s/$solution/${solution:0:5}l${solution:5}/" \
        "s/$solution/$(sed 's/[LURD]/&&/' <<< "$solution")/" \
        "s/$solution/$(tr LURD lurd <<< "$solution")/" \
        "s/$solution/$(tr lurd LURD <<< "$solution")/" \
        's/"pushes":[0-9]*/"pushes":7/' \
        's/"moves":[0-9]*/"moves":1/' \
        's/"cost":[0-9]*/"cost":3/'; do
        claim "$script"
        last="check after $script"
        ! cmp -s solved.json claimed.json || fault "the mutation changed nothing"
        run check "$data/first.xsb" claimed.json --only $level --json
        expect_rc 1
        expect_field verdict '"rejected"'
        grep -qE '"error":"..' out || fault "no reason"
    done
}

test_check_refuses_other_level() {
    solve_level
    claim 's/"id":3/"id":4/'
    run check "$data/first.xsb" claimed.json --only 3-4
    expect_rc 1
    expect_out '^0 ok, 1 rejected, 1 missing'
}

test_check_refuses_samegame_mutations() {
    run solve "$data/samegame.txt" --only 2 --nodes 2000 --json
    cp out solved.json
    local script
    for script in 's/"solution":\[\[[0-9]*,/"solution":[[9,/' 's/"solution":\[\[[0-9]*,[0-9]*\],/"solution":[/' \
        's/\],"pushes"/,[0,0]],"pushes"/' 's/"score":\(-*[0-9]*\)/"score":1\1/' 's/\[\[/[[-1,0],[/' 's/\],\[/,/' \
        's/"solution":\[.*\]\]/"solution":[[]]/' 's/"solution":\[.*\]\]/"solution":[]/' \
        's/"solution":\[.*\]\]/"solution":"[[0,0]]"/'; do
        claim "$script"
        last="check after $script"
        ! cmp -s solved.json claimed.json || fault "the mutation changed nothing"
        run check "$data/samegame.txt" claimed.json --only 2 --json
        expect_rc 1
        expect_field verdict '"rejected"'
    done
}

test_check_refuses_pancake_mutations() {
    local solution
    for solution in '[3,4,1]' '[3,4,5]' '[3,4]' '[3,4,3,2]' '[]' '[3,4,3' '3,4,3' 'three' '[3,4.5,3]' '[0]' '[-2]'; do
        echo "$solution" > lines
        run check "$data/pancakes.txt" lines --only 1 --json
        expect_rc 1
        expect_field verdict '"rejected"'
    done
}

test_check_any_case() {
    solve_level
    claim "s/\"solution\":\"[a-zA-Z]*\"/\"solution\":\"$(field solution | tr -d '"' | tr LURD lurd)\"/"
    run check "$data/first.xsb" claimed.json --only $level
    expect_rc 1
    run check "$data/first.xsb" claimed.json --only $level --any-case
    expect_rc 0
}

test_check_bad_input() {
    run check "$data/first.xsb" nowhere.json
    expect_rc 2
    run check nowhere.xsb nowhere.json
    expect_rc 2
    echo '{"id":1,"solution":"r"' > broken.json
    run check "$data/first.xsb" broken.json
    expect_rc 2
    expect_err '^broken\.json:1:'
    echo '{"solution":"r"}' > broken.json
    run check "$data/first.xsb" broken.json
    expect_rc 2
    printf '#####\n#@$ #\n#####\n' > invalid.xsb
    echo R > lines
    run check invalid.xsb lines
    expect_rc 2
    expect_out '0 ok, 0 rejected, 0 missing, 1 invalid'
}

test_check_solved_as_it_stands() {
    printf '1 2 3\n' > file
    echo '-' > lines
    run check file lines
    expect_rc 0
}

# The best games kept in data: each is legal and scores what stands above it.
test_check_best_games() {
    [ -d "$shared/samegame" ] || { skip "needs shared: samegame/standard20.txt"; return; }
    run check "$shared/samegame/standard20.txt" "$data/samegame-standard20.games" --json
    expect_rc 0
    expect_lines 20
    grep -o '"score":[0-9]*' out | cut -d: -f2 > scores
    sed -n 's/^; position [0-9]*: //p' "$data/samegame-standard20.games" > claimed
    expect_same scores claimed
}

# A title may look like a comment or like JSON.
test_check_lurd_of_odd_titles() {
    local title
    for title in '# 12' '#1' '; semi' '; 2 x' '{' '{"id":1}'; do
        printf '#####\n#@$.#\n#####\nTitle: %s\n\n######\n#@$ .#\n######\nTitle: plain\n' "$title" > a.xsb
        run solve a.xsb --lurd --quiet
        cp out a.lurd
        run check a.xsb a.lurd
        expect_rc 0
        expect_out '^2 ok, 0 rejected, 0 missing'
    done
}

# Solutions of several files: those below the heading of this one count.
test_check_lines_of_several_files() {
    printf '3 1 2\n2 1 3\n' > a.txt
    printf '1 3 2\n2 3 1\n' > b.txt
    run solve a.txt b.txt --domain pancake --out both --quiet
    expect_rc 0
    local file
    for file in a b; do
        run check $file.txt both --domain pancake
        expect_rc 0
        expect_out '^2 ok, 0 rejected'
    done
    cp a.txt c.txt
    run check c.txt both --domain pancake
    expect_out '^2 ok, 0 rejected'
}
