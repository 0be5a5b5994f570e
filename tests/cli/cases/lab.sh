# soloist lab: experiments that can be killed, resumed, shown, compared, drawn and repeated.

# Skips where the build has no store.
need_lab() {
    run lab list --store nowhere
    ! grep -q 'no SQLite' err || skip "needs SQLite"
    [ -z "$skip_reason" ]
}

write_experiment() { # file, stacks, seeds
    cat > "$1" << END
title Stacks
generate pancake n=9 count=$2 seed=1 as stacks
method uct:simulate=random,length=12 iterations=2000 as random
method astar time=none as A*
seeds 1-$3
END
}

test_lab_help() {
    need_lab || return
    run lab --help
    expect_rc 0
    expect_out '^  run  '
    mv out by_option
    run help lab
    expect_rc 0
    expect_same out by_option
    run lab show --help
    mv out by_option
    run help lab show
    expect_rc 0
    expect_same out by_option
    run lab report --help
    tr -s ' \n' ' ' < out > words
    mv words out
    expect_out 'if the intervals overlap, but ours is wider, the report says "not enough runs"'
    run help lab shwo
    expect_rc 2
    expect_err 'did you mean show\?'
}

test_lab_scale_help() {
    need_lab || return
    local verb
    for verb in run reproduce; do
        run lab $verb --help
        tr -s ' \n' ' ' < out > words
        mv words out
        expect_out 'spread evenly over a file or level set, the first ones of a generator;'
    done
}

test_lab_run_and_resume() {
    need_lab || return
    write_experiment e.lab 5 2
    run lab run e.lab --jobs 2
    expect_rc 0
    expect_out '^e: 20 of 20 runs done'
    expect_err '^soloist: A\*: it makes no random choices, .*: add `once` to the method.s line$'
    run lab show --runs --format csv
    sort out > first
    write_experiment e.lab 5 3
    run lab run e.lab --jobs 2
    expect_out '^e: 30 of 30 runs done'
    run lab show --runs --format csv
    sort out > second
    expect_equal "$(comm -23 first second | wc -l)" 0
    run lab list
    expect_out '^e +30 of 30 runs done +Stacks$'
    ls > files
    expect_equal "$(grep -c lab.db files)" 1
}

test_lab_merge() {
    need_lab || return
    write_experiment e.lab 3 2
    run lab run e.lab --jobs 1 --quiet --store theirs.db
    expect_rc 0
    run lab merge theirs.db --store ours.db
    expect_rc 0
    expect_out '^theirs.db: 12 finished runs are new$'
    run lab show --runs --store theirs.db --format csv
    cut -d, -f2- out | sort > there
    run lab show --runs --store ours.db --format csv
    cut -d, -f2- out | sort > here
    expect_same here there
    run lab merge theirs.db --store ours.db
    expect_out '^theirs.db: 0 finished runs are new$'
    run lab run e.lab --jobs 1 --store ours.db
    expect_rc 0
    run lab list --store ours.db
    expect_out '^e +12 of 12 runs done'
    write_experiment e.lab 4 2
    run lab run e.lab --jobs 1 --quiet --store ours.db
    run lab merge theirs.db --store ours.db
    expect_rc 2
    expect_err 'theirs.db has a different experiment named e'
    run lab merge ours.db --store ours.db
    expect_rc 2
    expect_err 'ours\.db is the store to which runs are to be added'
    run lab merge nothing.db --store ours.db
    expect_rc 2
    expect_err 'nothing.db'
    run lab merge --store ours.db
    expect_rc 2
}

# A source that is missing, or that is no store, leaves no new store behind.
test_lab_merge_of_nothing() {
    need_lab || return
    run lab merge nofile --store new.db
    expect_rc 2
    expect_err '^soloist: lab merge: nofile: No such file or directory$'
    [ ! -e new.db ] || fault "a store was made"
    echo 'a text that is no store' > text
    run lab merge text --store new.db
    expect_rc 2
    expect_err 'text: '
    [ ! -e new.db ] || fault "a store was made"
    write_experiment e.lab 2 1
    run lab run e.lab --quiet --store ours.db
    run lab merge text --store ours.db
    expect_rc 2
    run lab list --store ours.db
    expect_out '^e +4 of 4 runs done'
    run lab merge ours.db text --store new.db
    expect_rc 1
    run lab list --store new.db
    expect_out '^e +4 of 4 runs done'
}

# Runs without their instances are taken by an experiment that has these instances, and are not made again.
test_lab_known_runs() {
    need_lab || return
    write_experiment e.lab 3 2
    run lab run e.lab --jobs 1 --quiet --store made.jsonl
    run lab merge made.jsonl --store made.db
    grep '^{"run"' made.jsonl > runs.jsonl
    run lab merge runs.jsonl --store other.db
    expect_rc 1
    expect_out '^runs\.jsonl: 12 finished runs were left out, because neither this file nor the store describes their instances'
    expect_out '^runs\.jsonl: 0 finished runs are new$'
    head -n 7 runs.jsonl > some.jsonl
    run lab run e.lab --jobs 1 --store new.db --known some.jsonl --known runs.jsonl
    expect_rc 0
    expect_out '^some\.jsonl: 7 finished runs are new$'
    expect_out '^runs\.jsonl: 5 finished runs are new$'
    expect_out '^e: 12 of 12 runs done'
    for store in made new; do
        run lab show --store $store.db --format csv --sql 'SELECT source, number, label, seed, signature, cpu_s, finished FROM runs ORDER BY 1, 2, 3, 4'
        mv out $store.csv
    done
    expect_same made.csv new.csv
    run lab run e.lab --store a.jsonl --known runs.jsonl
    expect_rc 2
    expect_err 'soloist: --known needs a results store, not a file of JSON lines$'
    run lab run e.lab --store b.db --known nofile
    expect_rc 2
    expect_err 'nofile'
    run lab run e.lab --store b.db --known runs.jsonl --dry-run
    expect_err 'known has no effect: --dry-run keeps no runs'
}

# The experiment decides which runs it has: a file with other runs, plans or experiments changes nothing of this.
test_lab_known_runs_change_no_plan() {
    need_lab || return
    write_experiment e.lab 10 1
    cp e.lab other.lab
    echo 'method uct iterations=100 as third' >> other.lab
    run lab run e.lab --jobs 1 --quiet --store full.jsonl
    run lab run other.lab --jobs 1 --quiet --store other.db
    awk '!/^{"run"/ || ++runs <= 15' full.jsonl > part.jsonl
    run lab run e.lab --jobs 1 --scale 0.5 --store part.db --known part.jsonl
    expect_rc 0
    expect_out '^e: 10 of 10 runs done'
    run lab run e.lab --jobs 1 --scale 0.2 --store new.db --known full.jsonl --known other.db
    expect_rc 0
    expect_out '^full\.jsonl: 4 finished runs are new$'
    expect_out '^other\.db: 0 finished runs are new$'
    expect_out '^e: 4 of 4 runs done'
    run lab list --store new.db
    expect_lines 1
    expect_out '^e +4 of 4 runs done, scale 0\.2'
    run lab show --store new.db --format csv --sql 'SELECT (SELECT count(*) FROM main.run), (SELECT count(*) FROM main.instance)'
    expect_out '^4,2$'
    # An edited experiment of the same name still has these runs.
    sed -i 's/^title .*/title Other stacks/' e.lab
    echo 'method uct iterations=100 as third' >> e.lab
    run lab run e.lab --jobs 1 --scale 0.2 --store edited.db --known full.jsonl
    expect_rc 0
    expect_out '^full\.jsonl: 4 finished runs are new$'
    expect_out '^e: 6 of 6 runs done'
    run lab run e.lab --store edited.db --known ./edited.db
    expect_rc 2
    expect_err '^soloist: --known: \./edited\.db is the results store itself$'
}

# What could not be taken is reported, whether or not --quiet is given; how to take it is said only by `lab merge`.
test_lab_known_runs_left_out() {
    need_lab || return
    write_experiment e.lab 3 1
    sed 's/n=9/n=8/' e.lab > other.lab
    run lab run e.lab --jobs 1 --quiet --store e.jsonl
    run lab run other.lab --jobs 1 --quiet --store other.jsonl
    grep -m 1 '^{"run"' other.jsonl > foreign.jsonl
    run lab run e.lab --jobs 1 --quiet --store a.db --known foreign.jsonl
    expect_rc 0
    expect_silence out
    expect_err '^soloist: foreign\.jsonl: 1 finished run was left out, because neither this file nor the store describes its instance$'
    run lab merge foreign.jsonl --store b.db
    expect_rc 1
    expect_out 'its instance: `soloist lab run FILE --known foreign\.jsonl` takes those of an experiment$'
    sed '0,/"solution":"\[/s//"solution":"[1,/' e.jsonl > altered.jsonl
    run lab run e.lab --jobs 1 --quiet --store c.db --known altered.jsonl
    expect_rc 0
    expect_silence out
    expect_err '^soloist: altered\.jsonl is damaged: 5 finished runs could be read, 1 of its lines could not$'
    grep '^{"run"' e.jsonl | head -n 1 > one.jsonl
    run lab run e.lab --jobs 1 --store d.db --known one.jsonl
    expect_rc 0
    expect_out '^one\.jsonl: 1 finished run is new$'
}

stored_runs() { "$program" lab list 2> /dev/null | awk '{ print $2 + 0 }'; }

# Ten kills, each after a random number of new runs was stored: what was stored stays as it is, nothing is stored
# twice, nothing is missing at the end.
test_lab_killed_ten_times() {
    need_lab || return
    write_experiment e.lab 60 7
    local i tries process before=0 now enough
    : > seen
    for i in 1 2 3 4 5 6 7 8 9 10; do
        "$program" lab run e.lab --jobs 1 > out 2> err &
        process=$!
        tries=0
        enough=$((before + RANDOM % 20))
        until now=$(stored_runs) && [ "${now:-0}" -gt "$enough" ] || [ $tries -ge 2000 ] || ! kill -0 $process 2> /dev/null; do
            tries=$((tries + 1))
            sleep 0.01
        done
        kill -9 $process 2> /dev/null
        wait $process 2> /dev/null
        run lab show e --runs --format csv
        expect_rc 0
        now=$(($(wc -l < out) - 1))
        tail -n +2 out >> seen
        [ "$now" -lt 840 ] || break # the machine was quicker than the kills
        [ "$now" -gt "$before" ] || fault "$now runs after a kill, $before before it"
        before=$now
    done
    run lab run e.lab --jobs 2
    expect_rc 0
    expect_out '^e: 840 of 840 runs done'
    run lab show e --runs --format csv
    tail -n +2 out | sort > final
    expect_equal "$(wc -l < final)" 840
    expect_equal "$(cut -d, -f2-5 final | sort -u | wc -l)" 840
    sort -u seen > kept
    expect_equal "$(comm -23 kept final | wc -l)" 0
}

test_lab_interrupted() {
    need_lab || return
    { echo 'generate pancake n=60 count=3 seed=5'; echo 'method bfs time=none as B'; } > e.lab
    "$program" lab run e.lab --jobs 2 > out 2> err &
    local process=$!
    last="soloist lab run, then SIGINT"
    wait_working $process 20
    kill -INT $process
    wait_end $process
    expect_rc 1
    expect_out '^e: 0 of 3 runs done'
    expect_out 'interrupted: the same command continues with the remaining 3'
}

test_lab_errors_are_located() {
    need_lab || return
    printf 'instances a\nmethod uct itertions=5\n' > e.lab
    run lab run e.lab
    expect_rc 2
    expect_err '^e\.lab:2:12: itertions=5: did you mean iterations\? expected iterations='
    printf 'generate pancake\nmethod uct:cc=5 time=1\n' > e.lab
    run lab run e.lab
    expect_rc 2
    expect_err '^e\.lab:2:8: '
    printf 'instances nowhere.xsb\nmethod uct time=1\n' > e.lab
    run lab run e.lab
    expect_rc 2
    expect_err '^e\.lab:1:11: nowhere\.xsb: no such file'
    run lab run nothing.lab
    expect_rc 2
    expect_err 'nothing\.lab'
    run lab rum
    expect_rc 2
    expect_err 'did you mean run'
    run lab show --store nowhere.db
    expect_rc 2
    expect_err 'no such store'
}

test_lab_bad_instances_are_told() {
    need_lab || return
    printf '2 1 3\n1 1 2\n' > stacks.txt
    printf 'instances stacks.txt domain=pancake\nmethod astar time=none\n' > e.lab
    run lab run e.lab
    expect_rc 2
    expect_err 'stacks\.txt:2: line 1, column'
    expect_out '^e: 2 of 2 runs done, 1 solved'
}

test_lab_memory_stops_are_told() {
    need_lab || return
    printf '2 1 3\n' > easy.txt
    {
        printf 'generate tiles width=4 height=4 count=2 seed=1\ninstances easy.txt domain=pancake\n'
        printf 'method astar memory=2M time=none\n'
    } > e.lab
    run lab run e.lab --store e.jsonl
    expect_out '^e: 3 of 3 runs done, 1 solved, 2 stopped at the memory limit, in e.jsonl$'
    run lab run e.lab --store e.jsonl
    expect_out '^e: 3 of 3 runs done, 1 solved, 2 stopped at the memory limit, in e.jsonl$'
    run lab merge e.jsonl
    run lab run e.lab
    expect_out '^e: 3 of 3 runs done, 1 solved, 2 stopped at the memory limit, in lab.db$'
    run lab book page.md e
    grep -q '^3 runs; .*; 2 stopped at the memory limit; version ' page.md || fault "the page does not tell the memory limit"
}

test_lab_compare_counts_an_instance_once() {
    need_lab || return
    {
        printf 'generate pancake n=6 count=3 seed=3 as A\ngenerate pancake n=6 count=3 seed=3 as B\n'
        printf 'method random iterations=3 on=A as X\nmethod random iterations=30 on=B as X\n'
        printf 'method greedy iterations=3 on=A as Y\nmethod greedy iterations=30 on=B as Y\n'
        printf 'method greedy time=none on=B as Z\nseeds 1\n'
    } > e.lab
    run lab run e.lab
    run lab compare X Y
    expect_out '^pairs of runs +6$'
    expect_out '^instances with both values +3$'
    expect_out '^Wilcoxon signed ranks, p +0\.25$'
    # The sets differ, the instances do not.
    run lab compare X Z --where "iterations_limit <> 30"
    expect_out '^pairs of runs +3$'
    run lab compare X Y --of "(CASE label WHEN 'X' THEN number ELSE 4 - (4 - number) END) / 10.0 + 0.2"
    expect_out '^X and Y are equal on all pairs\.$'
}

test_lab_labels_are_texts() {
    need_lab || return
    printf 'generate pancake n=5 count=2 seed=1 as P\nmethod astar time=none as "{0.10,1e3,50%% d}"\n' > e.lab
    # shellcheck disable=SC2016
    printf 'measure v SELECT value FROM runs WHERE label = ?1\nrow "{a,b,c}" v "{0.10,1e3,50%% d}"\n' >> e.lab
    printf 'measure n SELECT value FROM runs WHERE number = ?1\nrow first n 1\n' >> e.lab
    run lab run e.lab
    run lab report e
    for row in a b c first; do
        expect_out "^$row "
    done
    run lab show --by label --of "value, solved"
    expect_out '2, 100\.0 % \(34\.2 to 100\.0\)'
    command -v gnuplot > /dev/null || return
    run lab plot --x label --y value --out a.svg
    expect_rc 0
    grep -q '50% d' a.svg || fault "the label with a percent sign is missing"
}

test_lab_merge_keeps_one_run_at_a_place() {
    need_lab || return
    printf '2 1 3\n3 1 2\n' > stacks.txt
    printf 'instances stacks.txt domain=pancake as P\nmethod astar time=none\n' > e.lab
    run lab run e.lab --store old.db
    printf '2 1 3\n3 2 1\n' > stacks.txt
    run lab run e.lab --store new.db
    run lab merge old.db --store new.db
    expect_out '1 finished run is new$'
    run lab list --store new.db
    expect_out '^e +2 of 2 runs done'
}

test_lab_names_are_found() {
    need_lab || return
    mkdir -p texts boards
    printf '2 1 3\n' > texts/beside.txt
    printf '3 1 2\n' > boards/inside.txt
    printf 'instances beside.txt\ninstances inside\ninstances inside.txt as again\nmethod astar time=none\n' > texts/e.lab
    run lab run texts/e.lab
    expect_rc 2
    run lab run texts/e.lab --data boards
    expect_rc 0
    expect_out '^e: 2 of 2 runs done'
    run lab show --by source --of cost --format csv
    expect_lines 4
}

test_lab_store_that_cannot_grow() {
    need_lab || return
    # On arm64 the thread sanitizer itself needs larger files.
    if [ "$(uname -m)" = aarch64 ] && grep -qa __tsan_init "$program"; then
        skip "needs a build without the thread sanitizer"
        return
    fi
    write_experiment e.lab 200 2
    # Files may have 60 kilobytes; the signal that says so is not wanted.
    (
        trap '' XFSZ
        ulimit -f 60
        "$program" lab run e.lab --jobs 1 > out 2> err
        echo $? > status
    )
    last="soloist lab run e.lab, with small files"
    rc=$(cat status)
    expect_rc 2
    expect_err 'lab\.db: .*what was stored is safe'
    run lab run e.lab --jobs 2
    expect_rc 0
    expect_out '^e: [0-9]+ of [0-9]+ runs done'
}

test_lab_store_read_only() {
    need_lab || return
    write_experiment e.lab 2 1
    run lab run e.lab
    chmod a-w lab.db
    if [ -w lab.db ]; then
        chmod u+w lab.db # a superuser writes anyway
        return
    fi
    run lab run e.lab
    expect_rc 2
    expect_err 'lab\.db: '
    run lab show
    expect_rc 0
}

test_lab_show_compare_repeat() {
    need_lab || return
    write_experiment e.lab 4 3
    run lab run e.lab
    run lab show --of solved,cost
    expect_rc 0
    expect_out '^label +iterations_limit +runs +solved +cost'
    expect_out '^A\* +12 +12, 100\.0 % '
    run lab show --of nodes --by seed --format markdown --level 99
    expect_out '^\| seed \| runs \| nodes'
    expect_lines 5
    run lab show --sql 'SELECT count(*) AS n FROM runs' --format json
    expect_out '^\{"n":24\}$'
    run lab show --sql 'SELECT 1; SELECT 2'
    expect_rc 2
    expect_err "lab show: --sql: expected one query; after it follows ' SELECT 2'"
    run lab show --sql 'DELETE FROM run RETURNING id'
    expect_rc 2
    # Options without effect are refused.
    local option
    for option in by=label of=nodes where=seed=1 level=99 runs; do
        run lab show --sql 'SELECT 1' --$option
        expect_rc 2
        expect_err "^soloist: lab show: --${option%%=*} does not go together with --sql\$"
    done
    for option in by=label of=nodes level=99; do
        run lab show --runs --$option
        expect_rc 2
        expect_err "^soloist: lab show: --${option%%=*} does not go together with --runs\$"
    done
    run lab report --where 'seed = 1'
    expect_rc 2
    expect_err '^soloist: lab report: unknown option --where'
    run lab show --by label,thread
    expect_rc 2
    expect_err '^soloist: lab show: --by: no such column: thread: did you mean threads\?$'
    run lab show --of nods
    expect_err '^soloist: lab show: --of: no such column: nods: did you mean nodes\?$'
    run lab show --runs --where 'seed <'
    expect_rc 2
    expect_err '^soloist: lab show: --where: '
    run lab compare random 'A*' --of valu
    expect_rc 2
    expect_err '^soloist: lab compare: --of: no such column: valu: did you mean value\?$'
    run lab compare random 'A*' --of nodes
    expect_rc 0
    expect_out '^pairs of runs +12$'
    expect_out '^instances with both values +4$'
    expect_out 'McNemar'
    run lab compare random B
    expect_rc 2
    expect_err 'no finished run has the label B'
    # A mean that is small beside the other one is rounded by its own interval, and not at all for programs.
    local of="1000.0/nodes*iif(label = 'A*', 1000000, 1)" mean
    run lab compare 'A*' random --of "$of"
    expect_out '^mean of random +0\.5$'
    mean=$("$program" lab show --where "label = 'A*'" --by label --of "$of" --format csv | awk -F, 'END { print $3 }')
    run lab compare 'A*' random --of "$of" --format csv
    expect_out "^mean of A\\*,$mean\$"
    local i
    for i in 1 5 24; do
        run lab repeat $i
        expect_rc 0
        expect_out 'the same result'
    done
    run lab repeat 25
    expect_rc 2
}

test_lab_example() {
    need_lab || return
    run lab run example.lab --scale 0.1
    expect_rc 0
    expect_out '^example: 90 of 90 runs done'
    run lab report
    expect_out 'greedy, 1000 iterations: stacks solved'
}

test_lab_book() {
    need_lab || return
    write_experiment e.lab 3 2
    echo 'table "Nodes by label" : SELECT label AS method, count(*) AS runs FROM runs GROUP BY label' >> e.lab
    run lab run e.lab
    run lab report
    expect_rc 0
    expect_out 'Nodes by label'
    expect_out '^method +runs'
    run lab book page.md e --title "A page"
    expect_rc 0
    grep -q '^# A page' page.md || fault "no title on the page"
    grep -q '^## e: ' page.md || fault "no chapter"
    grep -Eq '^\| method \| +runs \|' page.md || fault "no table on the page"
    grep -Eq 'version 0' page.md || fault "no version on the page"
    run lab book page2.md nonsense
    expect_rc 2
    [ ! -e page2.md ] || fault "a page of nothing was written"
    run lab book page3.md
    expect_rc 2
    expect_err 'PAGE EXPERIMENT'
    # Only a page is replaced.
    run lab book page.md e
    expect_rc 0
    cp e.lab before.lab
    run lab book e.lab e
    expect_rc 2
    expect_err '^soloist: lab book: e.lab is not a page'
    expect_same e.lab before.lab
}

# A report that prints nothing, and rows without a value, are explained.
test_lab_report_of_nothing() {
    need_lab || return
    write_experiment e.lab 3 1
    run lab run e.lab
    run lab report
    expect_rc 0
    expect_silence out
    expect_err '^soloist: e defines no row, table or figure, so its report is empty: `soloist lab show` prints means$'
    echo 'figure A x=a y=b : SELECT label, seed, nodes FROM runs' >> e.lab
    run lab run e.lab
    run lab report
    expect_rc 0
    expect_err '^soloist: e defines only figures: `soloist lab report --figures FOLDER` draws them$'
    { echo 'measure m SELECT value FROM runs WHERE value < ?1'; echo 'row a m 99 = 5'; echo 'row b m 0 = 5'; } >> e.lab
    run lab run e.lab
    run lab report
    expect_silence err
    expect_out '^no finished run gives a value for 1 more row$'
    echo 'row c m 0 = 5' >> e.lab
    run lab run e.lab
    run lab report
    expect_out '^no finished run gives a value for 2 more rows$'
}

# A page names the text that it was made from, and a text that was changed later is noticed.
test_lab_book_check() {
    need_lab || return
    mkdir -p data/experiments
    write_experiment data/experiments/e.lab 2 1
    cp data/experiments/e.lab data/experiments/f.lab
    local -x SOLOIST_DATA=$PWD/data
    run lab run data/experiments/e.lab
    run lab run data/experiments/f.lab
    run lab book page.md e f --title "A page"
    expect_rc 0
    run lab book page.md --check
    expect_rc 0
    expect_out 'present experiment files: 2, from other versions of them: 0, from files that they do not name: 0'
    cp page.md old.md
    echo 'seeds 1-2' | sed -i -e '/^seeds/d' -e '$r /dev/stdin' data/experiments/f.lab
    run lab book page.md --check
    expect_rc 1
    expect_out 'present experiment files: 1, from other versions of them: 1,'
    expect_err 'chapter f was made from another version of its experiment file'
    run lab run data/experiments/f.lab
    run lab book page.md f --update
    expect_rc 0
    run lab book page.md --check
    expect_rc 0
    # Only the chapter of f has changed.
    expect_equal "$(sed '/^## f/,$d' page.md)" "$(sed '/^## f/,$d' old.md)"
    ! diff -q page.md old.md > /dev/null || fault "the chapter was not made anew"
    sed -i '/from the experiment file whose hash is/d' page.md
    run lab book page.md --check
    expect_rc 0
    expect_out 'do not name: 2'
    run lab book page.md e --check
    expect_rc 2
}

# No table of the page of results is older than the experiment's text; chapters from before pages named their texts
# are not known to be.
test_lab_results_page() {
    need_lab || return
    run lab book "$source_dir/docs/RESULTS.md" --check
    expect_rc 0
}

test_lab_plot() {
    need_lab || return
    command -v gnuplot > /dev/null || { skip "needs gnuplot"; return; }
    write_experiment e.lab 3 2
    echo 'figure "A figure" x="label of a method" y="nodes generated" : SELECT source, label, nodes FROM runs' >> e.lab
    run lab run e.lab
    run lab plot --out a.svg --y nodes --x seed
    expect_rc 0
    grep -q 'nodes generated' a.svg || fault "no label of the y axis in the picture"
    grep -q 'Stacks' a.svg || fault "no title in the picture"
    run lab report --figures figures
    expect_rc 0
    [ -s figures/e-1.svg ] && [ -s figures/e-1.png ] || fault "no figures"
    grep -q 'label of a method' figures/e-1.svg || fault "no label of the x axis in the picture"
    run lab plot --out q.svg --y nodes --x "'stack ' || number" --by "'''' || label" --title "'quoted'"
    expect_rc 0
    grep -q ">'quoted'<" q.svg || fault "no title in quotes"
    run lab plot --out a.gif
    expect_rc 2
    expect_err 'svg, .png or .pdf'
    run lab plot --out a.svg --y nonsense
    expect_rc 2
    expect_err 'nonsense'
    local words
    for words in '--by method,label' '--x seed,number' '--y nodes,value' '--ranks --y nodes,value'; do
        run lab plot --out a.svg $words
        expect_rc 2
        expect_err '^soloist: lab plot: --(by|x|y): expected one column or SQL expression, not 2$'
    done
    run lab compare random 'A*' --of nodes,value
    expect_rc 2
    expect_err '^soloist: lab compare: --of: expected one column or SQL expression, not 2$'
    PATH=/nowhere run lab plot --out b.svg
    expect_rc 2
    expect_err 'gnuplot'
}

# Makes bin/gnuplot, a program that writes down what it is told.
stand_in_for_gnuplot() {
    mkdir bin
    printf '#!/bin/sh\ncat > "%s/script"\necho picture\n' "$PWD" > bin/gnuplot
    chmod +x bin/gnuplot
}

# A name is a name: gnuplot must not see it.
test_lab_plot_names() {
    need_lab || return
    write_experiment e.lab 2 1
    run lab run e.lab --quiet
    stand_in_for_gnuplot
    local name
    for name in '|touch gotcha;.svg' "a'b.svg" 'a\b"c.svg' '<x.png' '`touch gotcha`.png' $'two\nlines.svg'; do
        PATH=$PWD/bin:$PATH run lab plot --out "$name" --x seed --title "it's \`touch gotcha\` | "$'\n'"plot"
        expect_rc 0
        expect_equal "$(cat "./$name")" picture
        ! grep -q 'set output' script || fault "gnuplot was told a file's name"
        expect_equal "$(grep -c gotcha script)" 1
        grep -qF "set title 'it''s \`touch gotcha\` |  plot'" script || fault "$(grep title script)"
    done
    [ ! -e gotcha ] || fault "a name was run as a command"
    # Numbers within the names of series are compared as numbers, and a legend below the data stays clear of the axis.
    PATH=$PWD/bin:$PATH run lab plot --out a.svg --x number --by "iif(number = 1, 16, 2) || ' threads, and a long name'"
    expect_equal "$(grep -o '[0-9]* threads' script | uniq | tr '\n' ' ')" '2 threads 16 threads '
    grep -q "^set key below .* title ' '$" script || fault "$(grep key script)"
    PATH=$PWD/bin:$PATH run lab plot --out nowhere/a.svg --x seed
    expect_rc 2
    expect_err 'nowhere/a\.svg: No such file'
    printf '#!/bin/sh\nexit 3\n' > bin/gnuplot
    PATH=$PWD/bin:$PATH run lab plot --out c.svg --x seed
    expect_rc 2
    expect_err 'gnuplot could not draw'
    [ ! -e c.svg ] && [ ! -e c.svg.part ] || fault "a part of a picture was left"
}

# The table alone is in the CSV file, whether or not progress is drawn on a terminal.
test_lab_reproduce_to_a_file() {
    need_lab || return
    need_terminal
    [ -z "$skip_reason" ] || return
    run lab reproduce T18 --scale 0.002 --quiet --format csv
    mv out quiet.csv
    rm -f lab.db
    last="soloist lab reproduce --format csv > table.csv in a terminal"
    in_terminal "$program lab reproduce T18 --scale 0.002 --format csv > table.csv"
    expect_same table.csv quiet.csv
}

test_lab_reproduce() {
    need_lab || return
    run lab reproduce --list
    expect_rc 0
    # Every experiment file is in the list, T4-2 after T4 and before T5.
    tail -n +2 out | awk '{ print $1 }' > listed
    expect_equal "$(sort listed)" "$(cd "$data/experiments" && ls -- *.lab | sed 's/\.lab$//' | sort)"
    expect_equal "$(grep '^T[1-5]\(-.*\)\?$' listed | tr '\n' ' ')" 'T1 T2 T3 T4 T4-2 T5 '
    expect_out '^T1 +[0-9]'
    run lab reproduce T18 --scale 0.002 --quiet --format csv
    expect_rc 0
    expect_out '^what,published,published_interval,ours,'
    run lab reproduce T18 --scale 0.002
    expect_out '^on [0-9]+ of the [0-9]+ instances in [0-9]+ sets? \(scale 0\.002\)$'
    sed '/^generate/,/^generate.*seed=100/d; s/^seeds .*/seeds 1-3/' "$data/experiments/T19.lab" > t19.lab
    grep '^generate.*as 100' "$data/experiments/T19.lab" | sed 's/count=100/count=3 total_positions=500/; s/,deadlock_tables=on//' >> t19.lab
    echo 'generate sokoban max_action_depth=10 total_positions=100 allow_box_on_goal=true count=3 as 1' >> t19.lab
    run lab run t19.lab --store t19.db --quiet
    expect_rc 0
    run lab report t19 --store t19.db --format csv
    expect_out '^"?stage 100: mean number of pushes"?,,,[0-9]'
    expect_out '^1,3,[0-9.]*,[0-9.]*,[0-9.]*,'
    run lab reproduce T99
    expect_rc 2
    expect_err 'no table T99'
}

# Every table's text is read, planned and told, at the least scale, without being run to its end.
test_lab_tables_are_whole() {
    need_lab || return
    [ -d "$shared/levels" ] || { skip "needs shared: levels"; return; }
    run lab reproduce T11 --data "$shared/levels" --format csv --quiet
    expect_rc 0
    expect_equal "$(grep -c ',equal,' out)" 151
    expect_equal "$(grep -c ',differs,' out)" 18
    local id
    for id in 6 7 10; do
        sed 's/iterations=[0-9]*/iterations=3/; s/nodes=[0-9]*/nodes=9/; s/^seeds .*/seeds 1/' "$data/experiments/T$id.lab" > "t$id.lab"
        run lab run "t$id.lab" --scale 0.01 --data "$shared/levels"
        expect_rc 0
        run lab report "t$id"
        expect_rc 0
        expect_out 'solved'
    done
}

# The learning tables with less of all that makes them long, on boards of sizes that no network is installed for: the
# searches that want one are left out.
test_lab_learning_tables_are_whole() {
    need_lab || return
    local id
    cp "$data"/experiments/study-*.net .
    for id in 13 16; do
        sed -E 's/(runs|simulations|jump_start)=[0-9]+/\1=4/g; s/^seeds .*/seeds 1/; s/generations=[0-9]+/generations=2/
            s/boards=[0-9]+/boards=2 epochs=1 capacity=500/; s/--time [0-9]+/--time 9/; s/count=[0-9]+/count=1/
            s/iterations=[0-9]+/iterations=2/; s/(width|height)=15/\1=9/g
            s/simulations=\{15,60\}/simulations={4,4}/; s/jump_start=\{600,1500,3000\}/jump_start={4,4,4}/'"
            s|\.\./networks|$data/networks|" \
            "$data/experiments/T$id.lab" > "t$id.lab"
        run lab run "t$id.lab"
        expect_rc 0
        expect_out "^t$id: .* trained"
        run lab report "t$id"
        expect_rc 0
        expect_out '^Which .*better in training'
        expect_out '^Trainings: '
    done
    sed "s|\.\./networks|$data/networks|; s/solve_games=10000/solve_games=4/; s/row_steps=2000/row_steps=1/
        s/steps=20000/steps=2/; s/batch=128/batch=8/; s/boards=1000/boards=1/; s/--threads [0-9]*/--threads 2/
        s/total_moves=160000000/total_moves=320 iteration_moves=320 iterations=1 boards=1/
        s/iterations=650/iterations=1 puzzles=2 boards=1/; s/iteration_batches=1000/iteration_batches=1/
        s/--search final/--search per_move=2,final/; s/ge iterations/ge --search per_move=2 iterations/; s/count=1000/count=1/
        s/{64,128,256,512,1024}/{4,8}/g; s/{2,4,8,16,32}/{2,3}/g" "$data/experiments/T20.lab" > t20.lab
    run lab run t20.lab
    expect_rc 0
    expect_out '^t20: 20 of 20 runs done, [0-9]* solved, 4 trained'
    run lab report t20
    expect_rc 0
    expect_out '^deterministic +[0-9]+ +1 +2 .* 1 '
    expect_out '^ +8 +1 +[0-9]+\.0 % '
    sed 's/time=15/time=0.05/; s/count=500/count=1/; s/^seeds .*/seeds 1/; s/{7,10,15}/{6,8,9}/g; s/7x7/6x6/g
        s/10x10/8x8/g; s/15x15/9x9/g' "$data/experiments/T14.lab" > t14.lab
    run lab run t14.lab --jobs 2
    expect_rc 0
    expect_err '^soloist: 6x6: no network for samegame of size 6 is installed; the runs that need it are skipped$'
    expect_out '^t14: 6 of 6 runs done'
    run lab report t14
    expect_rc 0
    expect_out '^9x9 +MCTS, threads: 10 +1 '
}

write_lessons() { # file, steps
    write_net
    cat > "$1" << END
title Lessons
train samegame --board 5x5 --generate colours=3 --network small.net --threads 1 batch=4 boards=2 solve_iterations=20
    self_play=false solve_games=10 row_steps=10 save_steps=10 reuse=0 capacity=500 steps=$2 as A
train samegame --board 5x5 --generate colours=3 --network small.net --way generations generations=3 runs=6 simulations=4
    epochs=1 boards=4 capacity=500 {policy=action,policy=visits} once as "{policy=action,policy=visits}"
seeds 1-2
END
}

test_lab_trains() {
    need_lab || return
    write_lessons e.lab 40
    run lab run e.lab
    expect_rc 0
    expect_out '^e: 4 of 4 runs done, 4 trained, in lab.db$'
    run lab run e.lab --dry-run
    expect_out '^e: 4 trainings; the text is correct$'
    # The help of `lab plot` names every column of the curves, and no other.
    run lab plot --help
    tr '\n' ' ' < out | sed -E 's/ +/ /g; s/.*with --curves they are ([^.]*)\..*/\1/' | tr ' ' '\n' > named
    run lab show --sql 'SELECT * FROM curves LIMIT 1' --format csv
    expect_equal "$(head -n 1 out | tr ',' '\n')" "$(cat named)"
    run lab show --sql 'SELECT label, seed, count(*), max(steps), max(generation) FROM curves GROUP BY run' --format csv
    expect_out '^A,1,4,40,0$'
    expect_out '^A,2,4,40,0$'
    expect_out '^policy=visits,1,3,[0-9]+,3$'
    expect_equal "$(ls lab.db.run/* | grep -c weights.safetensors)" 4
    expect_equal "$(ls lab.db.run/* | grep -c state)" 0
    run lab repeat 1
    expect_rc 2
    expect_err 'run 1 is a training'
    # Nothing is done again, more is done beside it, and less by a smaller scale.
    run lab run e.lab
    expect_out '^e: 4 of 4 runs done'
    run lab run e.lab --scale 0.5
    expect_out '^e: 4 of 4 runs done'
    run lab show --sql 'SELECT max(steps) FROM curves WHERE label = '"'A'" --format csv
    expect_out '^20$'
    run lab merge lab.db --store other.db
    expect_out '^lab.db: 8 finished runs are new$'
    run lab show --store other.db --sql 'SELECT count(*) FROM curves' --format csv
    expect_out '^10$'
}

count_rows() { "$program" lab show --sql 'SELECT count(*) FROM curves' --format csv 2> /dev/null | tail -n 1; }
# Waits (20 s at most) until the store has so many rows of curves.
wait_rows() {
    local tries=0 rows
    until rows=$(count_rows) && [ "${rows:-0}" -ge "$1" ] || [ $tries -ge 400 ]; do
        tries=$((tries + 1))
        sleep 0.05
    done
}

# Killed in the middle, it goes on from its checkpoint: no row is missing or there twice.
test_lab_training_goes_on() {
    need_lab || return
    write_lessons e.lab 500
    local process signal rows=0
    for signal in KILL INT; do
        "$program" lab run e.lab --jobs 1 > out 2> err &
        process=$!
        last="soloist lab run, then SIG$signal"
        wait_rows $((rows + 10))
        kill -$signal $process
        wait_end $process 2> /dev/null
        rows=$(count_rows)
    done
    [ "$rows" -ge 20 ] || fault "$rows rows are stored"
    run lab run e.lab
    expect_rc 0
    expect_out '^e: 4 of 4 runs done, 4 trained'
    # An interrupt adds a row of its own.
    run lab show --sql "SELECT count(*) = max(row) + 1, min(row), max(steps), max(row) - 49 < 2 FROM curves
        WHERE label = 'A' GROUP BY run" --format csv
    expect_equal "$(grep -c '^1,0,500,1$' out)" 2
}

# Only a damaged checkpoint makes a training start again.
test_lab_failed_training_keeps_its_checkpoint() {
    need_lab || return
    write_lessons e.lab 500
    "$program" lab run e.lab --jobs 1 > out 2> err &
    local process=$! folder rows
    last="soloist lab run, then SIGKILL"
    wait_rows 10
    kill -KILL $process
    wait_end $process 2> /dev/null
    rows=$(count_rows)
    folder=$(dirname "$(ls lab.db.run/*/counters.state | head -n 1)")
    rm -rf "$folder/kept.state.new"
    mkdir "$folder/kept.state.new" # the next checkpoint cannot be written
    run lab run e.lab
    expect_rc 2
    expect_err '1 run failed'
    expect_err 'kept.state'
    rmdir "$folder/kept.state.new"
    run lab show --sql "SELECT count(*) FROM curves WHERE run = 1" --format csv
    [ "$(tail -n 1 out)" -ge "$rows" ] || fault "of $rows rows, $(tail -n 1 out) are left"
    [ -e "$folder/counters.state" ] || fault "the checkpoint is gone"
    : > "$folder/kept.state"
    run lab run e.lab
    expect_rc 0
    expect_out '^e: 4 of 4 runs done, 4 trained'
}

test_lab_training_errors_are_located() {
    need_lab || return
    write_net
    printf 'train samegame --board 5x5 --network small.net --time 1 stepz=1\n' > e.lab
    run lab run e.lab
    expect_rc 2
    expect_err '^e\.lab:1:57: .*stepz'
    printf 'train samegame --board 5x5 --network small.net\n' > e.lab
    run lab run e.lab
    expect_rc 2
    expect_err '^e\.lab:1:7: it would never end'
    printf 'train samegame --board 5x5 --network nowhere.net steps=1\n' > e.lab
    run lab run e.lab
    expect_rc 2
    expect_err '^e\.lab:1:7: nowhere\.net'
    printf 'train samegame --bord 5x5 --network small.net steps=1\n' > e.lab
    run lab run e.lab
    expect_rc 2
    expect_err '^e\.lab:1:16: no option --bord'
    printf 'train pancake --network small.net steps=1\n' > e.lab
    run lab run e.lab
    expect_rc 2
    expect_err 'pancake'
    # Boards that the network does not read are told by the run.
    printf 'train samegame --board 6x6 --network small.net steps=1\n' > e.lab
    run lab run e.lab
    expect_rc 2
    expect_err 'the network reads 6x5x5'
}

test_lab_tune() {
    need_lab || return
    {
        echo 'generate pancake n=8 count=9 seed=1'
        echo 'method uct:length=12 iterations=30'
        echo 'tune c 0.1..10 log'
        echo 'tune simulate random|eps-greedy'
        echo 'tune eliminate'
    } > e.lab
    local way
    for way in model entropy grid; do
        run lab tune e.lab --by $way --trials 20 --steps 3 --out $way.preset
        expect_rc 0
        expect_out ' trials, best .*uct:length=12,c=[0-9.]*,simulate=[a-z-]*,eliminate=(true|false)$'
        cp out first
        run lab tune e.lab --by $way --trials 20 --steps 3 --out again.preset
        expect_same out first
        expect_same again.preset $way.preset
        [ $way = grid ] || expect_err 'lab tune: warning: --steps has no effect: only --by grid divides ranges into steps'
        [ $way != grid ] || expect_silence err
    done
    run solve "$data/pancakes.txt" --only 1 --method "$(tail -n 1 model.preset)"
    expect_rc 0
    sed -i 's/tune c/tune cc/' e.lab
    run lab tune e.lab
    expect_rc 2
    expect_err '^e\.lab:3:6: the method has no option cc'
}

# Everything that can be wrong in a text is reported before the first run, with its place and a suggestion.
test_lab_checked_before_running() {
    need_lab || return
    local head=$'generate pancake n=6 count=2 seed=1 as stacks\nmethod astar nodes=100 as exact\n' line wanted
    while IFS='|' read -r line wanted; do
        printf '%s%s\n' "$head" "$line" > e.lab
        run lab run e.lab --store e.db
        expect_rc 2
        expect_err "$wanted"
        case $line in generate* | instances*) rm -f e.db ;; esac # known only when the instances are read
        [ ! -e e.db ] || fault "a store was made for: $line"
    done << 'END'
metod uct|e.lab:3:1: no keyword metod: did you mean method
method utc nodes=5|e.lab:3:8: no method utc: did you mean uct
method uct:simulat=random nodes=5|e.lab:3:8: .*did you mean simulate
method uct nods=5|e.lab:3:12: nods=5: did you mean nodes
method uct nodes=5 on=stack|e.lab:3:20: on=stack: no instances have that label: did you mean stacks
train pancake --way generatons as t|e.lab:3:.*--way generatons: did you mean generations\? expected one of continuous
train pancake simulatons=5 as t|e.lab:3:.*unknown option 'simulatons': did you mean simulations
generate pancak n=5|e.lab:3:10: no domain pancak: did you mean pancake
generate pancake nn=5|e.lab:3:10: .*did you mean n
instances nothing.txt|e.lab:3:11: nothing.txt: no such file
instances microbann1|e.lab:3:11: microbann1: no such file or level set: did you mean microban1
measure solved SELECT solvd FROM runs|e.lab:3:16: solved: no such column: solvd: did you mean solved
measure solved SELECT solved FROM run|e.lab:3:16: solved: no such column: solved: it is a column of the table runs
measure solved SELECT solved FROM runz|e.lab:3:16: solved: no such table: runz
measure solved SELECT solved, value FROM runs|e.lab:3:16: solved: a measure must select one column
measure solved DELETE FROM run|e.lab:3:16: solved: expected SELECT
measure solved SELECT solved FROM runs WHERE label = 'exat'|e.lab:3:16: solved: no runs have the label exat: did you mean exact
table Solved : SELECT label FROM runs WHERE source IN ('stacks', 'piles')|e.lab:3:16: Solved: no instances have the label piles
table Solved : SELECT labl FROM runs|e.lab:3:16: Solved: no such column: labl: did you mean label
figure Solved x=a y=b : SELECT label, value FROM runs|e.lab:3:25: Solved: a figure must select three columns
better valu|e.lab:3:8: better: no such column: valu: did you mean value
better avg(solved)|e.lab:3:8: better: misuse of aggregate function avg
better max(value)|e.lab:3:8: better: misuse of aggregate function max
END
    printf '%smeasure m SELECT value FROM runs WHERE label = ?1\nrow a m exat = 5\n' "$head" > e.lab
    run lab run e.lab --store e.db
    expect_rc 2
    expect_err 'e.lab:4:7: m: no runs have the label exat: did you mean exact'
    printf '%smeasure m SELECT value FROM runs WHERE label = ?1\nrow a m = 5\n' "$head" > e.lab
    run lab run e.lab --store e.db
    expect_err 'e.lab:4:7: the measure m takes 1 word, but 0 are given'
    printf '%smethod bfs iterations=5 as idle\nmethod uct iterations=5\n' "$head" > e.lab
    run lab run e.lab --dry-run
    expect_rc 0
    expect_err '^soloist: idle: warning: it does not work in iterations, so only the memory limits its runs'
    [ "$(grep -c warning err)" = 1 ] || fault 'not one warning'
    printf '%sbudget iterations={5,10}\nmethod bfs as idle\n' "$head" > e.lab
    run lab run e.lab --dry-run
    [ "$(grep -c warning err)" = 1 ] || fault 'not one warning for both budgets'
    printf '%smeasure mean SELECT value FROM runs\nrow a maen = 5\n' "$head" > e.lab
    run lab run e.lab --store e.db
    expect_err 'no measure maen above this line: did you mean mean'
}

test_lab_dry_run() {
    need_lab || return
    write_experiment e.lab 5 3
    run lab run e.lab --dry-run
    expect_rc 0
    expect_out '^e: 30 runs on 5 instances; the text is correct$'
    expect_out '^they take (about|more than) .* on [0-9]+ cores?: an estimate from [0-9]+ of the runs'
    [ ! -e lab.db ] || fault "a store was made"
    # A run that two labels have is counted once, as `lab run` counts it.
    cp e.lab twice.lab
    echo 'method astar time=none as again' >> twice.lab
    run lab run twice.lab --dry-run
    expect_out '^twice: 30 runs on 5 instances; the text is correct$'
    run lab run twice.lab --store twice.db
    expect_out '^twice: 30 of 30 runs done'
    local text
    for text in "$data"/experiments/*.lab; do
        [ "$(basename "$text")" != T17.lab ] || continue # as T18.lab, with more instances
        run lab run "$text" --dry-run --quiet --scale 0.01
        [ "$rc" -eq 0 ] || grep -qE 'not installed|no such file or level set' err || fault "$text is wrong"
    done
}

# A search whose iterations add nothing ends, although only nodes are limited, and is named.
test_lab_idle_search() {
    need_lab || return
    cat > e.lab << 'END'
generate samegame width=4 height=4 colours=3 count=2 seed=1 as small
method nmcts
budget nodes=3000
END
    run lab run e.lab
    expect_rc 0
    expect_err 'warning: nmcts, 2 runs: stopped, because the last [0-9]+ iterations added no node'
    run lab repeat 1
    expect_rc 0
    run lab run e.lab --store e.jsonl
    expect_rc 0
    expect_err 'warning: nmcts, 2 runs: stopped'
}

# All pairs: p-values are corrected, and every pair is told in words.
test_lab_compare_all() {
    need_lab || return
    cat > e.lab << 'END'
generate pancake n=12 count=20 seed=1 as stacks
method greedy nodes=5000 as few
method beam nodes=5000 as many
method astar nodes=100000 as exact
END
    run lab run e.lab --jobs 2 --quiet
    run lab compare --format csv
    expect_rc 0
    expect_lines 4
    expect_out '^few,many,'
    expect_out '^few,exact,'
    expect_out '^many,exact,'
    cp out all
    run lab compare exact many few --format csv
    expect_lines 4
    expect_out '^exact,many,'
    run lab compare few exact --of nodes
    expect_rc 0
    expect_out '^effect size'
    expect_out '^the mean nodes of few is (higher|lower) than that of exact, by .* \(p . 0|^nodes does not differ significantly between few and exact'
    run lab compare few
    expect_rc 2
    expect_err 'name two labels or more'
    run lab compare few none
    expect_rc 2
    expect_err 'no finished run has the label none'
    # Holm: of three p-values the least is multiplied by three.
    local single corrected
    for pair in "few many" "few exact" "many exact"; do
        set -- $pair
        run lab compare "$1" "$2" --of nodes --format csv
        sed -n 's/^"*Wilcoxon signed ranks, p"*,//p' out
    done | sort -g | head -n 1 > least
    single=$(cat least)
    run lab compare --of nodes --format csv
    corrected=$(tail -n +2 out | cut -d, -f7 | sort -g | head -n 1)
    awk -v a="$single" -v b="$corrected" 'BEGIN { exit !(b > 2.8 * a && b < 3.2 * a) }' || fault "corrected $corrected, single $single"
}

test_lab_profile_and_ranks() {
    need_lab || return
    command -v gnuplot > /dev/null || { skip "needs gnuplot"; return; }
    write_experiment e.lab 5 2
    run lab run e.lab --quiet
    run lab plot --profile --y nodes --out p.svg
    expect_rc 0
    grep -q 'multiple of the best nodes' p.svg || fault "the profile has no axis"
    run lab plot --ranks --y nodes --out r.svg
    expect_rc 0
    grep -q 'critical difference' r.svg || fault "the ranks have no critical difference"
    run lab plot --ranks --y nodes --out r.pdf
    expect_rc 0
    head -c 4 r.pdf | grep -q PDF || fault "not a PDF"
    run lab plot --profile --ranks --out p.svg
    expect_rc 2
    expect_err 'lab plot: --profile and --ranks are two figures: draw one at a time'
    run lab plot --ranks --x nodes --out r.svg
    expect_rc 2
    expect_err 'lab plot: --x does not go together with --ranks'
    run lab plot --profile --level 99 --out p.svg
    expect_rc 2
    expect_err 'lab plot: --level does not go together with --profile'
    run lab plot --ranks --where "label = 'A*'" --out s.svg
    expect_rc 2
    expect_err 'at least two labels'
    grep -q 'mean rank on 5 instances;' r.svg || fault "the instances are not counted"
}

# Figures compare labels at equal budgets, and each instance counts once.
test_lab_profile_and_ranks_at_equal_budgets() {
    need_lab || return
    cat > e.lab << 'END'
generate pancake n=7 count=4 seed=1 as stacks
method uct:simulate=random,length=12 as random
method uct:simulate=eps-greedy,length=12 as greedy
method astar nodes=100000 as A*
budget iterations={20,200}
seeds 1-3
END
    run lab run e.lab --quiet
    stand_in_for_gnuplot
    local kind
    for kind in ranks profile; do
        PATH=$PWD/bin:$PATH run lab plot --$kind --y nodes --out a.svg
        expect_rc 2
        expect_err 'on no instance do all labels have runs with the same seed and the same budget: select labels or budgets with --where'
        PATH=$PWD/bin:$PATH run lab plot --$kind --y nodes --where "label <> 'A*'" --out a.svg
        expect_rc 0
        grep -q '^set xlabel .*20 iterations; 200 iterations' script || fault "$(grep xlabel script)"
        PATH=$PWD/bin:$PATH run lab plot --$kind --y cost --where 'iterations_limit IN (0, 200)' --out a.svg
        expect_rc 0
        ! grep -q ' iterations' script || fault "$(grep xlabel script)"
        [ $kind != ranks ] || grep -q "^set xlabel 'mean rank on 4 instances; .*(critical difference 1.66)'" script ||
            fault "$(grep xlabel script)"
    done
    # A* is always best at multiple 1; y are percentages of its 12 runs.
    expect_equal "$(sed -n '/^.s0 << EOD/,/^EOD/p' script | sed -n 2p)" '1 100 100 100'
    # The same runs are compared by `lab compare`.
    run lab compare 'A*' greedy --of nodes
    expect_out '^instances with both values +0$'
    run lab compare 'A*' greedy --of nodes --where 'iterations_limit IN (0, 200)'
    expect_out '^pairs of runs +12$'
    expect_out '^instances with both values +4$'
}
