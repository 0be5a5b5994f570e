# The words that cases are written with.

# run ARGS...: the program, with its output in ./out, its complaints in ./err, its exit status in $rc.
run() {
    "$program" "$@" > out 2> err
    rc=$?
    last="soloist $*"
}

fault() {
    faults=$((faults + 1))
    echo "  after: ${last-nothing}"
    echo "  $*"
    [ ! -e out ] || sed -n '1,6s/^/    out: /p' out
    [ ! -e err ] || sed -n '1,4s/^/    err: /p' err
}

expect_rc() { [ "$rc" -eq "$1" ] || fault "exit status $rc, expected $1"; }
expect_out() { grep -qE -e "$1" out || fault "output lacks: $1"; }
expect_err() { grep -qE -e "$1" err || fault "complaint lacks: $1"; }
refute_out() { ! grep -qE -e "$1" out || fault "output has: $1"; }
expect_lines() { [ "$(wc -l < out)" -eq "$1" ] || fault "$(wc -l < out) lines, expected $1"; }
expect_silence() { [ ! -s "$1" ] || fault "$1 is not empty"; }
expect_same() { cmp -s "$1" "$2" || fault "$1 and $2 differ: $(diff "$1" "$2" | head -n 3)"; }
expect_equal() { [ "$1" = "$2" ] || fault "'$1', expected '$2'"; }

skip() { skip_reason=$1; }

# The value of a field in line $2 (1 by default) of ./out, as it is written.
field() { sed -n "${2:-1}p" out | grep -oE "\"$1\":(\"[^\"]*\"|\[[^]]*(\],\[[^]]*)*\]+|[^,}]*)" | head -n 1 | cut -d: -f2-; }
expect_field() { expect_equal "$(field "$1" "${3:-1}")" "$2"; }

# Every line of ./out is a result of `solve --json` with exactly the promised fields in the promised order.
number='(null|-?[0-9]+)'
json_line='^\{"id":[0-9]+,"file":"([^"\\]|\\.)*","name":"([^"\\]|\\.)*","domain":("[a-z-]+"|null)'
json_line+=',"status":"(solved|unsolved|impossible|invalid)"'
json_line+=',"stopped":(null|"(goal|exhausted|time|nodes|iterations|memory|cancel)")'
json_line+=',"solution":(null|"[^"]*"|\[[],[0-9]*\])'
json_line+=",\"pushes\":$number,\"moves\":$number,\"cost\":$number,\"score\":$number,\"optimal\":(true|false)"
json_line+=",\"time_s\":[0-9.e-]+,\"nodes\":[0-9]+,\"expanded\":$number,\"iterations\":$number,\"playouts\":$number,\"evaluations\":$number"
json_line+=",\"eliminated\":$number,\"skipped\":$number,\"moved\":$number,\"tree_depth\":$number,\"peak_mb\":[0-9]+"
json_line+=',"method":(null|"([^"\\]|\\.)*"),"optimal_for":(null|"[a-z-]+")'
json_line+=",\"box_lines\":$number,\"box_changes\":$number,\"pushing_sessions\":$number,\"player_lines\":$number"
json_line+=",\"blocks_left\":$number,\"cleared\":(null|true|false),\"polish_nodes\":[0-9]+,\"polish_s\":[0-9.e-]+"
json_line+=",\"workers\":$number,\"least_share\":(null|[0-9.e-]+),\"most_share\":(null|[0-9.e-]+)"
json_line+=',"hash":(null|"[0-9a-f]{16}")(,"error":"([^"\\]|\\.)*","line":(null|[0-9]+),"column":(null|[0-9]+))?\}$'
expect_json() {
    ! grep -vqE "$json_line" out || fault "not a line of solve --json: $(grep -vE "$json_line" out | head -n 1)"
    if command -v jq > /dev/null; then
        jq -e . out > /dev/null 2>&1 || fault "jq refuses the output"
    fi
}

# Waits (20 s at most) until file $1 has $2 lines.
wait_lines() {
    local tries=0
    while { [ ! -e "$1" ] || [ "$(wc -l < "$1")" -lt "$2" ]; } && [ $tries -lt 400 ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
}

# Waits (20 s at most) until file $1 has $2, a regular expression.
wait_text() {
    local tries=0
    until grep -qaE -e "$2" "$1" 2> /dev/null || [ $tries -ge 400 ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
}

# Waits (20 s at most) until file $1 is there.
wait_file() {
    local tries=0
    until [ -e "$1" ] || [ $tries -ge 2000 ]; do
        sleep 0.01
        tries=$((tries + 1))
    done
}

# Waits (20 s at most) until process $1 is stopped.
wait_stopped() {
    local tries=0
    until grep -q ') T ' "/proc/$1/stat" || [ $tries -ge 400 ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
}

# Waits (60 s at most) until process $1 answers SIGINT by itself and has worked for $2 hundredths of a second.
wait_working() {
    local tries=0 caught=0 worked=0
    until [ $((0x$caught & 2)) -ne 0 ] && [ "$worked" -ge "$2" ] || [ $tries -ge 1200 ] || [ ! -e "/proc/$1" ]; do
        sleep 0.05
        caught=$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$1/status" 2> /dev/null | tail -c 9)
        worked=$(awk '{ sub(/.*\) /, ""); print $12 + $13 }' "/proc/$1/stat" 2> /dev/null)
        : "${caught:=0}" "${worked:=0}"
        tries=$((tries + 1))
    done
}

# Waits (20 s at most) for process $1 and sets rc; a process that stays is killed and rc is 99.
wait_end() {
    local tries=0
    while kill -0 "$1" 2> /dev/null && [ $tries -lt 400 ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
    [ $tries -lt 400 ] || kill -9 "$1"
    wait "$1"
    rc=$?
    [ $tries -lt 400 ] || rc=99
}

# Runs a command line in a terminal of its own; keys come from standard input.
in_terminal() { TERM=xterm LC_ALL=C.UTF-8 script -qec "$1" /dev/null > out 2> err; }
need_terminal() { command -v script > /dev/null || skip "needs the program script"; }

# A batch whose first stack takes no time and whose second takes for ever by breadth-first search.
write_endless() {
    echo "2 1 4 3"
    seq 1 2 99 | tr '\n' ' '
    seq 2 2 100 | tr '\n' ' '
    echo
}
