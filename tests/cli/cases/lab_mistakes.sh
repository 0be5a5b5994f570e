# soloist lab: what is wrong in an experiment or a command is refused, with the place and the reason.

write_levels() { # file: two levels
    printf '; one\n#######\n#@ $ .#\n#######\n\n; two\n########\n#@ $  .#\n########\n' > "$1"
}

expect_refused() { # experiment, message: before any run
    printf '%b' "$1" > m.lab
    run lab run m.lab --quiet
    expect_rc 2
    expect_err "$2"
    run lab run m.lab --dry-run
    expect_rc 2
    expect_err "$2"
}

test_lab_methods_that_a_domain_cannot_run() {
    need_lab || return
    local method stacks='generate pancake n=5 count=3 seed=1 as stacks\n'
    for method in dead-by-rules dead-by-search levints; do
        expect_refused "${stacks}method $method nodes=5\n" \
            "^m.lab:2:8: $method needs a domain that shows its states to networks; pancake does not\$"
    done
    expect_refused "${stacks}method uct nodes=5 on=stakcs\n" '^m.lab:2:20: on=stakcs: .*did you mean stacks\?'
    expect_refused "${stacks}method uct nodes=5 trained=net\n" '^m.lab:2:20: trained=net: no training'
    expect_refused "${stacks}method astra\n" '^m.lab:2:8: no method astra: did you mean astar\?'
    expect_refused "${stacks}method astar\n" '^m.lab:2:8: astar has no budget'
}

test_lab_numbers_of_instances() {
    need_lab || return
    write_levels levels.xsb
    local part method='method astar time=none\n'
    expect_refused "instances levels.xsb:20\n$method" '^m.lab:1:11: levels.xsb: 20 selects none of its 2 instances'
    for part in 0-3 5-2; do
        expect_refused "instances levels.xsb:$part\n$method" \
            "^m.lab:1:11: levels.xsb:$part: no such file; expected numbers from 1 and ranges after the colon"
    done
    printf 'instances nofile.xsb optional\ninstances levels.xsb\n%b' "$method" > e.lab
    run lab run e.lab --quiet
    expect_rc 0
    expect_err '^soloist: nofile.xsb: no such file'
}

# A run that the plan names twice fails once.
test_lab_failed_runs_are_counted_once() {
    need_lab || return
    printf '1 3 2\n' > good.txt
    printf 'a\na\na\nb\n' > bad.txt
    printf 'instances {good,bad}.txt domain=pancake\nmethod astar time=none\nseeds 1-2\n' > e.lab
    run lab run e.lab
    expect_rc 2
    local planned solved failed
    planned=$(sed -n 's/^e: [0-9]* of \([0-9]*\) runs.*/\1/p' out)
    solved=$(sed -n 's/^e: .* done, \([0-9]*\) solved.*/\1/p' out)
    failed=$(sed -n 's/^soloist: \([0-9]*\) runs failed.*/\1/p' err)
    expect_equal "$((solved + failed))" "$planned"
    # They are in no mean.
    run lab show --of solved,nodes --format csv
    expect_out '^label,source,runs,failed,solved,'
    expect_out '^astar,bad.txt,8,8,,'
    run lab show --of solved --by label --format csv
    expect_out '^astar,10,8,1,'
}

# What a network cannot read is found out before it is trained.
test_lab_networks_of_another_size() {
    need_lab || return
    printf 'input 6x5x5\nlinear 25\npolicy\n' > small.net
    local train='train samegame --board 5x5 --network small.net --time 9 as net\n'
    expect_refused "${train}generate samegame width=7 height=7 count=3 as boards\nmethod policy-mcts nodes=5 trained=net\n" \
        '^m.lab:3:28: trained=net: it cannot read the instances boards: the instance has planes of 6x7x7'
    expect_refused "train tiles --board 5x5 --network small.net --time 9\n" \
        '^m.lab:1:7: the instance has planes of 25x5x5, but the network reads 6x5x5$'
}

test_lab_methods_of_one_set() {
    need_lab || return
    local sets='generate pancake n=5 count=1 as stacks\ngenerate samegame width=4 height=4 count=1 as boards\n'
    expect_refused "${sets}method astar nodes=5\n" '^m.lab:3:8: astar needs .* \(on=LABEL names its instances\)$'
    printf '%bmethod astar nodes=50 on=stacks\nmethod mcts iterations=5 on=boards\n' "$sets" > e.lab
    run lab run e.lab
    expect_rc 0
    expect_silence err
    # No limit is an empty cell, and 0 for programs.
    run lab show --by label,nodes_limit,iterations_limit --of solved
    expect_out '^astar +50 +1 '
    run lab show --by label,nodes_limit,iterations_limit --of solved --format csv
    expect_out '^mcts,0,5,1,'
    run lab plot --curves --out c.svg
    expect_rc 2
    expect_err 'nothing to draw: only trainings and searches with a time limit have curves'
    # An experiment that defines no row, table or figure has a chapter nevertheless.
    run lab book page.md e
    expect_rc 0
    grep -q '^## e$' page.md || fault "no heading without a title"
    grep -q '^| label .*| nodes_limit .*| solved ' page.md || fault "no table of means"
}

# An instance that several lines name counts once; one that a set contains twice counts twice.
test_lab_equal_instances() {
    need_lab || return
    write_levels levels.xsb
    cp levels.xsb copy.xsb
    { cat levels.xsb && printf '\n' && cat levels.xsb; } > doubled.xsb
    printf 'instances {levels,copy}.xsb as all\ninstances levels.xsb:1 as first\nmethod {astar,bfs} time=none\n' > e.lab
    run lab run e.lab --dry-run
    expect_out '^e: 4 runs on 2 instances;'
    run lab run e.lab
    expect_out '^e: 4 of 4 runs done'
    expect_err '^soloist: all: 2 instances are left out, because an earlier line with this label has equal ones$'
    run lab show --by label --of value --format csv
    expect_out '^astar,2,2.5,'
    run lab show --by label,source --of value --format csv
    expect_out '^astar,all,2,2.5,'
    expect_out '^astar,first,1,2,'
    run lab compare astar bfs --format csv
    expect_out '^instances with both values,2$'
    run lab run e.lab --store e.jsonl --quiet
    expect_equal "$(wc -c < err)" 0
    run lab merge e.jsonl --store merged.db
    run lab show --store merged.db --by label --of value --format csv
    expect_out '^astar,2,2.5,'
    printf 'instances doubled.xsb as all\nmethod astar time=none\n' > d.lab
    run lab run d.lab
    expect_out '^d: 2 of 2 runs done'
    expect_err '^soloist: all: 2 instances are equal to earlier ones of this set: they are run once, and count as often'
    run lab show d --of value --format csv
    expect_out '^astar,4,2.5,'
}

test_lab_large_seeds() {
    need_lab || return
    printf 'generate pancake n=5\nmethod astar time=none\nseeds 9007199254740993 9223372036854775807\n' > e.lab
    run lab run e.lab --quiet
    expect_rc 0
    run lab show --runs --format csv
    expect_out ',9007199254740993,'
    run lab show --format json --sql 'SELECT seed FROM runs'
    expect_out '^\{"seed":9007199254740993\}$'
    run lab show --by seed --format csv
    expect_out '^9223372036854775807,1,'
    sed -i 's/^seeds .*/seeds 9223372036854775808/' e.lab
    run lab run e.lab
    expect_rc 2
    expect_err ':3:7: 9223372036854775808: the greatest seed is 9223372036854775807$'
}

# A mean is that of an expression over one run, which must be a number.
test_lab_columns_of_options() {
    need_lab || return
    write_experiment e.lab 3 2
    run lab run e.lab --quiet
    local of="expected an expression over one run, such as nodes/time_s, not one over many"
    run lab show --of 'seed,avg(time_s)'
    expect_rc 2
    expect_err "^soloist: lab show: --of: seed,avg\(time_s\): $of"
    run lab compare random 'A*' --of 'avg(nodes)'
    expect_rc 2
    expect_err "^soloist: lab compare: --of: avg\(nodes\): $of"
    run lab plot --y 'avg(nodes)' --out a.svg
    expect_rc 2
    expect_err "^soloist: lab plot: --y: avg\(nodes\): $of"
    run lab show --of 'nodes/(SELECT max(nodes) FROM runs),max(nodes,1)'
    expect_rc 0
    run lab show --of label
    expect_rc 2
    expect_err '^soloist: a mean needs numbers, and random is none$'
    run lab compare random 'A*' --of label
    expect_rc 2
    expect_err '^soloist: a mean needs numbers'
    run lab show --by row
    expect_rc 2
    expect_err '^soloist: lab show: --by: no such column: row: did you mean ran\?$'
    run lab show --by labl
    expect_err 'did you mean label\?$'
}

test_lab_compare_selected_labels() {
    need_lab || return
    write_experiment e.lab 3 2
    sed -i 's/^seeds/method greedy time=none as greedy\n&/' e.lab
    run lab run e.lab --quiet
    run lab compare --where "label <> 'A*'"
    expect_rc 0
    ! grep -q 'A\*' out || fault "a label that --where leaves out is compared"
    run lab compare random 'A*' --where "label <> 'A*'"
    expect_rc 0
    expect_out '^no run of random has .* of a run of A\* among the runs that --where selects\.$'
}

test_lab_commands_with_wrong_words() {
    need_lab || return
    write_experiment e.lab 3 2
    run lab run e.lab --store runs.jsonl --quiet
    expect_rc 0
    local verb
    for verb in show list compare report 'repeat 1'; do
        run lab $verb --store runs.jsonl
        expect_rc 2
        expect_err 'runs.jsonl: .*`soloist lab merge` adds a file of JSON lines to a store$'
    done
    echo text > notdb.db
    run lab merge runs.jsonl notdb.db
    expect_rc 1
    expect_out '^runs.jsonl: 12 finished runs are new$'
    run lab list extra words
    expect_rc 2
    expect_err 'lab list: expected'
    run lab tune e.lab
    expect_rc 2
    expect_err 'it needs one method with one budget \(it has 2\)$'
    sed -i '/A\*/d' e.lab
    run lab tune e.lab
    expect_rc 2
    expect_err 'it has no tune line$'
    echo 'tune c 0..1' >> e.lab
    run lab tune e.lab --out nodir/x --store t.db
    expect_rc 2
    expect_err 'nodir/x'
    [ ! -e t.db ] || fault "trials were made for a file that cannot be written"
    write_levels levels.xsb
    run solve levels.xsb --out ''
    expect_rc 2
    expect_silence out
    expect_err 'the name of the file to write is empty'
}

# Queries that become a part of others are checked as such, before anything is run.
test_lab_figures_that_are_no_part() {
    need_lab || return
    local experiment='generate pancake n=6 count=2\nmethod astar time=none\n'
    printf "$experiment"'figure F x=a y=b : SELECT label, seed, nodes FROM runs;\n' > e.lab
    run lab run e.lab
    expect_rc 2
    expect_err 'e.lab:3:.*: F: near ";": syntax error$'
    printf "$experiment"'figure F x=a y=b : SELECT label, seed, nodes FROM runs -- all\n' > e.lab
    run lab run e.lab
    expect_rc 2
    expect_err 'e.lab:3:.*: F: incomplete input$'
    printf "$experiment"'figure F x=a y=b : SELECT label, seed, ?1 FROM runs\n' > e.lab
    run lab run e.lab
    expect_rc 2
    expect_err 'F: only measures have words: \?1 has no value here$'
    printf "$experiment"'table F : SELECT label, ?1 FROM runs\n' > e.lab
    run lab run e.lab
    expect_rc 2
    expect_err 'F: only measures have words: \?1 has no value here$'
}

# The memory limit belongs to the budget.
test_lab_budgets_of_memory() {
    need_lab || return
    printf 'generate pancake n=7 count=3\nmethod astar nodes=9000 memory={100M,1G} as A\n' > e.lab
    printf 'method astar:ties=random nodes=9000 memory=1G as B\n' >> e.lab
    run lab run e.lab --quiet
    run lab show --of nodes --format csv
    expect_out '^label,memory_limit,runs,'
    expect_out '^A,104857600,3,'
    run lab compare A B
    expect_out '^pairs of runs +3$'
}

# Commas and brackets in quotes do not divide a list.
test_lab_lists_with_quotes() {
    need_lab || return
    write_experiment e.lab 2 1
    run lab run e.lab --quiet
    run lab show --by "label || ', (' || seed" --of nodes --format csv
    expect_rc 0
    expect_out '^"label \|\| '"', \(' \|\| seed"'",runs,nodes,nodes_low,nodes_high$'
    expect_out '^"A\*, \(1",2,'
}

test_lab_tune_long_method() {
    need_lab || return
    printf 'generate pancake n=6 count=2\nmethod mcts:%sc=2 iterations=10\ntune path_weight 0..1\n' \
        "$(printf 'length=10,%.0s' {1..20})" > e.lab
    run lab tune e.lab
    expect_rc 2
    expect_err 'e.lab:2:.*: a method that is tuned has at most 200 characters'
}

# Only one command writes JSON lines; the others say so before they work for hours.
test_lab_lines_only_where_they_are_written() {
    need_lab || return
    printf 'generate pancake n=6 count=2\nmethod astar:weight=1 nodes=100\ntune weight 1..2\n' > e.lab
    run lab tune e.lab --store e.jsonl
    expect_rc 2
    expect_err '^soloist: lab tune: --store e.jsonl: only `lab run` writes files of JSON lines;'
    run lab reproduce T17 --store e.jsonl
    expect_rc 2
    expect_err '^soloist: lab reproduce: --store e.jsonl: only `lab run` writes files of JSON lines;'
    [ ! -e e.jsonl ] || fault "e.jsonl was made"
}

# The larger share counts, because its runs are there.
test_lab_merge_of_another_scale() {
    need_lab || return
    printf 'generate pancake n=6 count=10\nmethod astar time=none\n' > e.lab
    run lab run e.lab --scale 0.1 --store small.db --quiet
    run lab run e.lab --store whole.db --quiet
    run lab merge whole.db --store small.db
    expect_rc 0
    run lab list --store small.db
    expect_out '10 of 10 runs done'
    refute_out 'scale'
    run lab merge small.db --store whole.db
    run lab list --store whole.db
    refute_out 'scale'
}

# A profile rises, also with scores below 0.
test_lab_profile_of_negative_scores() {
    need_lab || return
    printf '12\n21\n\n1\n2\n' > boards
    printf 'instances boards domain=samegame as X\nmethod {random,uct} iterations=5\n' > e.lab
    run lab run e.lab --quiet
    stand_in_for_gnuplot
    PATH=$PWD/bin:$PATH run lab plot --profile --y score --out a.svg
    expect_rc 0
    run lab show --of score --format csv
    grep -q ',-' out || fault "no score is below 0"
    expect_equal "$(sed -n '/^.s0 << EOD/,/^EOD/p' script | awk '$2 == 100' | wc -l)" 10
}
