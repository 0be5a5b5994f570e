# soloist solve --resume and the table of files.

test_resume_goes_on() {
    run solve "$data/first.xsb:1-4" --resume done.jsonl --quiet
    expect_rc 0
    expect_equal "$(wc -l < done.jsonl)" 4
    # A run that was killed leaves a part of a line.
    printf '{"id":5,"file"' >> done.jsonl
    run solve "$data/first.xsb" --resume done.jsonl
    expect_rc 0
    expect_out '^12 solved of 12 '
    expect_out '^4 taken over from done.jsonl$'
    expect_equal "$(wc -l < done.jsonl)" 12
    expect_equal "$(grep -o '^{"id":[0-9]*' done.jsonl | cut -d: -f2 | sort -n | tr '\n' ' ')" "1 2 3 4 5 6 7 8 9 10 11 12 "
    run check "$data/first.xsb" done.jsonl
    expect_rc 0
    cp done.jsonl before
    run solve "$data/first.xsb" --resume done.jsonl --json --out all.sok
    expect_rc 0
    expect_json
    expect_lines 12
    expect_same before done.jsonl
    expect_equal "$(grep -c '^Solution' all.sok)" 12
}

# What is reported of an instance is the same when it is taken over: every number of the line.
test_resume_keeps_all_numbers() {
    for method in schokoban astar random beam "" ; do
        rm -f done.jsonl
        run solve "$data/first.xsb:1-3" ${method:+--method $method} --iterations 200 --seed 1 --resume done.jsonl --json
        expect_json
        cp out before
        run solve "$data/first.xsb:1-3" ${method:+--method $method} --iterations 200 --seed 1 --resume done.jsonl --json
        expect_same before out
    done
}

# So is a proof of the pushes where that of the moves is missing; it does not become a proof of both.
test_resume_keeps_a_proof_of_less() {
    local words=("$data/first.xsb" --optimal pushes-moves --threads 1 --time 0)
    run solve "${words[@]}" --nodes 200 --resume done.jsonl --json
    expect_rc 1
    cp out before
    for proof in pushes pushes-moves; do
        grep -q "\"optimal\":true.*\"optimal_for\":\"$proof\"" out || fault "no level is optimal in $proof"
    done
    run solve "${words[@]}" --nodes 200 --resume done.jsonl --json
    expect_rc 1
    expect_err '^12 taken over from done.jsonl$'
    expect_same before out
    # A later line that proves nothing does not replace it.
    run solve "$data/first.xsb" --only 12 --optimal pushes --threads 1 --time 0 --resume pushes.jsonl --json
    expect_field optimal_for '"pushes"'
    for line in 'not sufficient for the present options$' '^1 taken over from pushes.jsonl$'; do
        run solve "${words[@]}" --only 12 --nodes 20 --resume pushes.jsonl --json
        expect_rc 1
        expect_err "$line"
    done
    expect_field optimal true
    expect_field optimal_for '"pushes"'
    sed 's/"identity":"[^"]*"/"identity":"another"/' pushes.jsonl > other.jsonl
    run solve "$data/first.xsb" --only 12 --resume other.jsonl --json
    expect_err '^1 taken over from other.jsonl$'
    expect_field optimal false
}

# The name of a file may have bytes that are not UTF-8.
test_resume_of_any_file_name() {
    local file=$'caf\xe9.xsb'
    cp "$data/first.xsb" "$file"
    run solve "$file" --resume done.jsonl --json
    cp out before
    run solve "$file" --resume done.jsonl --json
    expect_rc 0
    expect_err '^12 taken over from done.jsonl$'
    expect_same before out
    expect_equal "$(wc -l < done.jsonl)" 12
    # What is about other files is left out.
    run solve "$data/pancakes.txt" --resume done.jsonl
    run check "$file" done.jsonl
    expect_rc 0
}

# An instance that is named twice is found twice.
test_resume_of_a_file_named_twice() {
    local words=(solve "$data/first.xsb:1-3" "$data/first.xsb:2-4" --resume done.jsonl)
    run "${words[@]}"
    expect_rc 0
    run "${words[@]}"
    expect_rc 0
    expect_out '^6 taken over from done.jsonl$'
    expect_equal "$(wc -l < done.jsonl)" 6
    run solve "$data/first.xsb:1-4" --resume done.jsonl
    expect_out '^4 taken over from done.jsonl$'
}

test_resume_tries_again_with_more() {
    run solve "$data/first.xsb" --only 12 --method astar --nodes 5 --resume done.jsonl
    expect_rc 1
    run solve "$data/first.xsb" --only 12 --method astar --nodes 5 --resume done.jsonl
    expect_rc 1
    expect_out '^1 taken over from done.jsonl$'
    run solve "$data/first.xsb" --only 12 --method astar --nodes 100000 --resume done.jsonl
    expect_rc 0
    expect_out '^1 solved of 1 '
    expect_out '^0 taken over from done.jsonl, 1 not: 1 not sufficient for the present options$'
    # The file is only added to, and the solution is what counts of the two lines.
    expect_equal "$(wc -l < done.jsonl)" 2
    run check "$data/first.xsb" done.jsonl --only 12
    expect_rc 0
    run solve "$data/first.xsb" --only 12 --method astar --nodes 5 --resume done.jsonl
    expect_rc 0
    expect_out '^1 taken over from done.jsonl$'
    # What is about other files stays.
    run solve "$data/pancakes.txt" --only 1 --resume done.jsonl
    expect_rc 0
    expect_equal "$(wc -l < done.jsonl)" 3
}

test_resume_after_kill() {
    write_endless > file
    "$program" solve file --method bfs --time 60 --memory 8G --jobs 2 --resume done.jsonl > out 2> err &
    local process=$!
    last="soloist solve --resume, then SIGKILL"
    wait_lines done.jsonl 1
    kill -KILL $process
    wait $process 2> /dev/null
    run solve file --method bfs --nodes 1000 --resume done.jsonl
    expect_rc 1
    expect_out '^1 solved, 1 unsolved of 2 '
    expect_out '^1 taken over from done.jsonl$'
    expect_equal "$(wc -l < done.jsonl)" 2
}

test_resume_believes_no_wrong_solution() {
    run solve "$data/first.xsb" --only 1 --resume done.jsonl
    sed -i 's/"solution":"rRR"/"solution":"rR"/' done.jsonl
    run solve "$data/first.xsb" --only 1 --resume done.jsonl
    expect_rc 0
    expect_out '^0 taken over from done.jsonl, 1 not: 1 whose solution fails its replay$'
    grep -q '"solution":"rRR"' done.jsonl || fault "the right solution is not in the file"
}

# Every sitting plays with another seed, and the best game of all sittings is reported.
test_resume_keeps_the_better_game() {
    local best=0 score sitting reported
    for sitting in 1 2 3; do
        run solve "$data/samegame.txt" --only 5 --method random --iterations 20 --threads 1 --resume done.jsonl --json
        expect_rc 0
        expect_lines 1
        reported=$(field score)
        tail -n 1 done.jsonl > out
        score=$(field score)
        expect_field sitting $sitting
        grep -q "\"sitting\":$sitting,\"seed\":$sitting" out || fault "the line does not name the seed of its sitting"
        [ "$score" -le "$best" ] || best=$score
        expect_equal "$reported" "$best"
        expect_equal "$(wc -l < done.jsonl)" $sitting
    done
    # The best of the three is what counts; another sitting has its own seed.
    run solve "$data/samegame.txt" --only 5 --method random --iterations 20 --threads 1 --resume done.jsonl --json
    expect_rc 0
    expect_err '^0 taken over from done.jsonl, 1 not: 1 searched again for a higher score$'
    [ "$(field score)" -ge "$best" ] || fault "a worse game than before is reported"
    best=$(field score)
    tail -n 1 done.jsonl > out
    expect_field sitting 4
    run check "$data/samegame.txt" done.jsonl --only 5
    expect_rc 0
    expect_out "$best"
}

# nrpa goes on with the games of the sitting before: so few play-outs find nothing as good by themselves.
test_resume_goes_on_with_the_pool() {
    local method=nrpa:stages_least=0,refined_least=100,level=2,playouts=2 first
    run solve "$data/samegame.txt" --only 4 -m $method --iterations 3000 --time 0 --threads 1 --resume done.jsonl --json
    expect_rc 0
    first=$(field score)
    grep -q '"pool":\[\[\[' done.jsonl || fault "the file holds no games for the next sitting"
    run solve "$data/samegame.txt" --only 4 -m $method --iterations 40 --time 0 --threads 1 --seed 2 --json
    [ "$(field score)" -lt "$first" ] || fault "40 play-outs are as good as 3000"
    run solve "$data/samegame.txt" --only 4 -m $method --iterations 40 --time 0 --threads 1 --resume done.jsonl --json
    expect_rc 0
    tail -n 1 done.jsonl > out
    [ "$(field score)" -ge "$first" ] || fault "the games of the sitting before are forgotten"
    # What the file says of them is not trusted.
    sed -i 's/"pool":.*}/"pool":[[[99,99]],"x",7,[[0,0],[0,0]],[]]}/' done.jsonl
    run solve "$data/samegame.txt" --only 4 -m $method --iterations 40 --time 0 --threads 1 --resume done.jsonl --json
    expect_rc 0
}

test_resume_bad_file() {
    printf 'not json\n' > bad
    run solve "$data/first.xsb" --only 1 --resume bad --out none.sok
    expect_rc 2
    expect_err '^bad:1:1: '
    expect_equal "$(cat bad)" "not json"
    [ ! -e none.sok ] || fault "none.sok was written"
    run solve "$data/first.xsb" --only 1 --resume no/such/folder/file
    expect_rc 2
}

# ---- a stored proof is about its own question only ----

optimal_lines() { grep -c '"optimal":true' out; }

test_resume_proof_of_another_objective() {
    run solve "$data/first.xsb" --optimal moves --time 1000 --json --quiet
    grep -o '"moves":[0-9]*' out > right
    run solve "$data/first.xsb" --resume done.jsonl --quiet
    expect_rc 0
    run solve "$data/first.xsb" --optimal moves --time 1000 --resume done.jsonl --json
    expect_rc 0
    expect_equal "$(optimal_lines)" 12
    grep -o '"moves":[0-9]*' out > found
    expect_same right found
    expect_err '^0 taken over from done.jsonl, 12 not: 12 for another instance, domain option or objective$'
    # Now both questions are answered.
    run solve "$data/first.xsb" --optimal moves --time 1000 --resume done.jsonl
    expect_out '^12 taken over from done.jsonl$'
    run solve "$data/first.xsb" --optimal pushes --resume done.jsonl
    expect_out '^12 taken over from done.jsonl$'
    # Where any solution will do, that of another objective does, but its proof does not come with it.
    run solve "$data/first.xsb" --optimal moves --time 1000 --resume moves.jsonl --quiet
    run solve "$data/first.xsb" --resume moves.jsonl --json
    expect_rc 0
    expect_equal "$(optimal_lines)" 0
    expect_err '^12 taken over from moves.jsonl$'
}

test_resume_proof_of_another_option() {
    echo '1 0 2 3 4 5 6 7 8' > tiles.txt
    run solve tiles.txt --domain tiles --resume done.jsonl --json
    expect_rc 0
    expect_equal "$(optimal_lines)" 1
    run solve tiles.txt --domain tiles:goal=blank-last --resume done.jsonl --json
    expect_err '^0 taken over from done.jsonl, 1 not: 1 for another instance, domain option or objective$'
    run solve "$data/samegame.txt" --only 1 --resume same.jsonl --json
    run solve "$data/samegame.txt" --only 1 --domain samegame:scoring=clickomania --resume same.jsonl --json
    expect_err '^0 taken over from same.jsonl, 1 not: 1 for another instance, domain option or objective$'
}

test_resume_edited_level() {
    # Impossible at first, then mended; then two pushes become three.
    printf '#####\n#@$ #\n#  .#\n#####\n' > level.xsb
    run solve level.xsb --resume done.jsonl --json
    expect_field status '"impossible"'
    printf '######\n#@$ .#\n#    #\n######\n' > level.xsb
    run solve level.xsb --resume done.jsonl --json
    expect_field status '"solved"'
    expect_field pushes 2
    expect_err '^0 taken over from done.jsonl, 1 not: 1 for another instance, domain option or objective$'
    # The old solution still solves the new level, which has a shorter one: no proof is taken over.
    printf '######\n#@$. #\n#    #\n######\n' > level.xsb
    run solve level.xsb --resume done.jsonl --json
    expect_field pushes 1
    expect_field optimal true
}

# Lines as version 0.1 wrote them say nothing of the question.
test_resume_lines_of_version_0_1() {
    run solve "$data/first.xsb" --only 1-3 --json
    sed 's/}$/,"budget":{"time_s":10,"nodes":0,"iterations":0,"memory":0,"method":"auto"},"sitting":1}/' out > old.jsonl
    sed -i '2s/"status":"solved"/"status":"impossible"/; 2s/"solution":"[^"]*"/"solution":null/' old.jsonl
    sed -i '3s/"status":"solved"/"status":"unsolved"/; 3s/"solution":"[^"]*"/"solution":null/' old.jsonl
    run solve "$data/first.xsb" --only 1-3 --resume old.jsonl --json
    expect_rc 0
    expect_field optimal false 1
    expect_field status '"solved"' 2
    expect_field status '"solved"' 3
    expect_err '^1 taken over from old.jsonl, 2 not: 2 from version 0.1, whose unsolved results are not reused$'
}

test_resume_unsolved_counts_for_its_method_and_limits() {
    local words=(solve "$data/first.xsb" --only 12 --threads 1 --resume done.jsonl)
    run "${words[@]}" --method astar --nodes 50
    expect_rc 1
    run "${words[@]}" --method astar --nodes 40
    expect_rc 1
    expect_out '^1 taken over'
    local other
    for other in '--method astar --nodes 60' '--method bfs --nodes 50' '--method astar --nodes 50 --seed 2' \
        '--method astar --nodes 50 --time 0' '--method astar:weight=2 --nodes 50'; do
        # shellcheck disable=SC2086
        run "${words[@]}" $other
        expect_out '^0 taken over from done.jsonl, 1 not: 1 not sufficient for the present options$'
    done
}

# Options that had other names when the file was written are the same options.
test_resume_method_of_older_words() {
    run solve "$data/first.xsb" --only 12 --method mcts:path_weight=0.75 --nodes 5 --threads 1 --resume done.jsonl
    expect_rc 1
    sed -i 's/mcts:path_weight=/mcts:way=/' done.jsonl
    for words in mcts:path_weight=0.75 mcts:way=0.75; do
        run solve "$data/first.xsb" --only 12 --method $words --nodes 5 --threads 1 --resume done.jsonl
        expect_rc 1
        expect_out '^1 taken over from done.jsonl$'
    done
}

test_resume_plugin_of_other_rules() {
    cc -shared -fPIC -O1 -I"$source_dir/include" "$source_dir/examples/lights_out.c" -o lights.so || { skip "needs cc"; return; }
    echo 3x2:010111 > board.txt
    run solve --plugin ./lights.so --domain lights-out board.txt --resume done.jsonl --json
    cp out first
    run solve --plugin ./lights.so --domain lights-out board.txt --resume done.jsonl --json
    expect_err '^1 taken over'
    cc -shared -fPIC -O0 -I"$source_dir/include" "$source_dir/examples/lights_out.c" -o lights.so
    run solve --plugin ./lights.so --domain lights-out board.txt --method astar --optimal moves --resume done.jsonl --json
    expect_err '^0 taken over'
}

# What another version of a method's plugin found or proved does not count.
test_resume_plugin_of_other_method() {
    cc -shared -fPIC -O1 -I"$source_dir/include" "$source_dir/examples/a_star.c" -o method.so || { skip "needs cc"; return; }
    local words=(solve "$data/tiles.txt" --only 1-3 --plugin ./method.so --method my-astar --optimal moves --resume done.jsonl)
    run "${words[@]}"
    run "${words[@]}"
    expect_out '^3 taken over'
    cc -shared -fPIC -O0 -I"$source_dir/include" "$source_dir/examples/a_star.c" -o method.so
    run "${words[@]}"
    expect_out '^0 taken over'
    # Not even where any solution will do.
    words=(solve "$data/tiles.txt" --only 1-3 --plugin ./method.so --method my-astar --resume any.jsonl)
    run "${words[@]}"
    run "${words[@]}"
    expect_out '^3 taken over from any.jsonl$'
    cc -shared -fPIC -O1 -I"$source_dir/include" "$source_dir/examples/a_star.c" -o method.so
    run "${words[@]}"
    expect_out '^0 taken over from any.jsonl, 3 not: 3 from another version of the plugin$'
    # But a solution is a solution for a method without a plugin.
    run solve "$data/tiles.txt" --only 1-3 --method astar --resume any.jsonl
    expect_out '^3 taken over from any.jsonl$'
}

# ---- a resume file is never harmed ----

test_resume_leaves_other_files_alone() {
    local text
    for text in 'my text' '{' '{"id":1' '{"i' '[1,2]' '{"id":1,"name":"x"}' '{"id":1,"file":"x"}' '{"id":1, "file":"x'; do
        printf '%s' "$text" > file
        cp file before
        run solve "$data/first.xsb" --only 1 --resume file
        expect_rc 2
        expect_err '^file:1:'
        expect_same before file
    done
    for text in '' '{"id":1,"file":"' '{"id":12,"file":"some.xsb","na'; do
        printf '%s' "$text" > file
        run solve "$data/first.xsb" --only 1 --resume file
        expect_rc 0
        expect_equal "$(wc -l < file)" 1
    done
    mkdir folder
    run solve "$data/first.xsb" --only 1 --resume folder
    expect_rc 2
    run solve "$data/first.xsb" --only 1 --resume /dev/null
    expect_rc 2
    # The last line may lack its end without being a part.
    run solve "$data/first.xsb" --only 1 --resume done.jsonl --quiet
    printf '%s' "$(cat done.jsonl)" > short.jsonl
    run solve "$data/first.xsb" --only 1-2 --resume short.jsonl
    expect_out '^1 taken over'
    expect_equal "$(wc -l < short.jsonl)" 2
}

test_resume_needs_a_file() {
    run solve "$data/first.xsb" --only 1 --resume -
    expect_rc 2
    expect_err '^soloist: --resume -: it must be a regular file$'
    [ ! -e ./- ] || fault 'a file named - was made'
}

test_resume_one_run_at_a_time() {
    write_endless > file
    "$program" solve file --method bfs --time 60 --memory 8G --jobs 2 --resume done.jsonl > first 2>&1 &
    local process=$!
    wait_lines done.jsonl 1
    cp done.jsonl before
    run solve "$data/first.xsb" --resume done.jsonl
    expect_rc 2
    expect_err '^soloist: done.jsonl: another run is adding to this file$'
    expect_same before done.jsonl
    kill -KILL $process
    wait $process 2> /dev/null
    run solve "$data/first.xsb" --only 1 --resume done.jsonl
    expect_rc 0
    expect_equal "$(wc -l < done.jsonl)" 2
}

# A disk of its own that is nearly full.
test_resume_full_disk() {
    mkdir disk
    mount -t tmpfs -o size=4k none disk 2> /dev/null || { skip "needs the right to mount"; return; }
    run solve "$data/first.xsb" --resume disk/done.jsonl --jobs 1
    cp disk/done.jsonl after
    umount disk
    expect_rc 2
    expect_err '^soloist: disk/done.jsonl: No space left on device; what it held before is intact$'
    expect_equal "$(wc -l < err)" 1
    refute_out '^12 '
    [ -z "$(tail -c 1 after)" ] || fault "the last line is incomplete"
    [ "$(wc -l < after)" -ge 3 ] || fault "lines are lost"
    [ "$(wc -l < after)" -ge "$(grep -c ' solved ' out)" ] || fault "a line was told that is not stored"
}

test_full_disk_ends_the_run() {
    run solve "$data/first.xsb" --jobs 1
    "$program" solve "$data/first.xsb" --json --jobs 1 --resume done.jsonl > /dev/full 2> err
    rc=$?
    expect_rc 2
    expect_err '^soloist: standard output could not be written: No space left on device$'
    expect_equal "$(wc -l < err)" 1
    expect_equal "$(wc -l < done.jsonl)" 1
    run solve "$data/first.xsb" --out /dev/full --jobs 1
    expect_rc 2
    expect_err '^soloist: /dev/full: No space left on device$'
    expect_equal "$(wc -l < err)" 1
}

test_games_to_begin_with() {
    few="--only 4 --method nrpa:stages_least=0,refined_least=100,level=2,playouts=2 --time 0 --threads 1"
    run solve "$data/samegame.txt" $few --iterations 3000 --json
    printf -- '; no games for 1 to 3\n-\n-\n-\n%s\n' "$(sed 's/.*"solution":\(\[\[.*\]\]\).*/\1/' out)" > games
    best=$(grep -o '"score":[0-9]*' out | cut -d: -f2)
    run solve "$data/samegame.txt" $few --iterations 40 --games games --json
    expect_rc 0
    score=$(grep -o '"score":[0-9]*' out | cut -d: -f2)
    [ "$score" -ge "$best" ] || fault "$score points, but the game to begin with has $best"
    printf -- '-\n-\n-\n[[0,0],[14,14]]\n' > games
    run solve "$data/samegame.txt" $few --iterations 40 --games games
    expect_rc 2
    expect_err '^soloist: --games games: the game of instance 4: '
    run solve "$data/samegame.txt" --only 4 -m mcts --nodes 100 --games games
    expect_err 'warning: --games has no effect: only nrpa begins with given games$'
    run solve "$data/samegame.txt" --games games --resume done.jsonl
    expect_rc 2
    expect_err 'exclude each other'
}

test_table_of_files() {
    run solve "$data/first.xsb:1-3" "$data/pancakes.txt:1-2"
    expect_rc 0
    expect_out '^file +reported +solved +optimal +time +median +90 %$'
    expect_out 'first.xsb +3 +3 +3 '
    expect_out '^all +5 +5 +5 '
    run solve "$data/first.xsb:1-3"
    refute_out '^file '
    run solve "$data/first.xsb:1-3" --table
    expect_out 'first.xsb +3 +3 +3 '
}

test_resume_knows_how_solutions_were_shortened() {
    printf '#########\n#       #\n# $   . #\n#@      #\n# $   . #\n#       #\n#########\n' > m.xsb
    run solve m.xsb --resume r.jsonl --optimal pushes-moves --first
    expect_rc 1
    expect_out 'asks for: leave out --first$'
    run solve m.xsb --resume r.jsonl --optimal pushes-moves
    expect_rc 0
    expect_out 'optimal pushes-moves'
    # At the same cost, the line with fewer moves is taken, even if it is not the last one.
    rm r.jsonl
    run solve m.xsb --json --resume r.jsonl --optimal pushes-moves -n 400
    expect_out '"moves":15,'
    run solve m.xsb --json --resume r.jsonl --optimal pushes-moves --first
    run solve m.xsb --json --resume r.jsonl
    expect_out '"moves":15,'
}
