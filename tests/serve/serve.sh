#!/usr/bin/env bash
# The page's server from outside: serve.sh PATH_TO_SOLOIST PATH_TO_CLIENT [--sanitized]
# Calls of every kind, requests that are wrong, clients that are slow, many clients at once. Under a sanitizer memory
# is not measured.
set -u
program=$(readlink -f "$1") client=$(readlink -f "$2") sanitized=${3-}
work=$(mktemp -d)
passed=0 failed=0 server=
trap '[ -z "$server" ] || kill -KILL $server 2> /dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 2
if "$program" serve --port 1 --address nowhere 2>&1 | grep -q 'built without'; then
    echo "SKIP needs a program with libmicrohttpd"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
verdict() { # name, status
    if [ "$2" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $1"; fi
}
start() { # words...
    rm -f address
    mkfifo address
    "$program" serve "$@" > address 2> says &
    server=$!
    read -r address < address
    port=${address%/*} port=${port##*:}
}
stop() {
    kill -INT $server
    wait $server
    verdict "$1: the server ends with status 0" $?
    server=
}
# expect NAME STATUS PART METHOD PATH [BODY [HEADER...]]
expect() {
    local name=$1 status=$2 part=$3
    shift 3
    "$client" "$port" ask "$@" > answer
    [ "$(head -n 1 answer)" = "$status" ] && grep -qF -- "$part" answer
    local well=$?
    [ $well -eq 0 ] || head -c 400 answer
    verdict "$name" $well
}

level='{"text":"#######\n#@ $ .#\n#######\n"}'
printf '#######\n#@ $ .#\n#######\n' > one.xsb
# A store of the lab, and the folder of a training at work, whose last row is being written.
stored=
cat > small.lab <<'END'
title Small stacks
generate pancake n=5 count=3 seed=1 as stacks
method astar as A*
method bfs as breadth
budget nodes=1000 time=none
seeds 1
measure cost SELECT value FROM runs WHERE label = ?1
row "mean cost" cost A*
figure "Nodes" x="stack" y="nodes" : SELECT label, number, nodes FROM runs
END
# Many labels; each run is in two sources.
{
    echo 'generate pancake n=5 count=1 seed=1 as {one,two}'
    for c in $(seq 21); do echo "method uct:c=$c iterations=2"; done
} > many.lab
"$program" lab run small.lab --store small.db > said 2>&1 && "$program" lab run many.lab --store small.db > said 2>&1 &&
    [ -e small.db ] && stored=small.db
mkdir mine.safetensors.run
printf '{"row":0,"time_s":5.5,"doing":"self-play","games":3,"greedy_mean":12}\n{"row":1,"time_s":9.5,"ga' > mine.safetensors.run/curve.jsonl
printf '11|22\t0\t[[0,0],[0,0]]\n12|22\t-7\t[[1,0]]\n12|2' > mine.safetensors.run/games.txt
echo '{"domain":"samegame","board":"2x2"}' > mine.safetensors.run/words.json
start one.xsb $stored mine.safetensors.run --jobs 4 --threads 2 --memory 64M --time 60
[[ $address == http://127.0.0.1:*/ ]]
verdict "the address is printed" $?
expect "the page" 200 '<title>Soloist</title>' GET /
expect "a module" 200 'export const engine' GET /engine.js
expect "no such file" 404 'nothing here' GET /../../etc/passwd
expect "about" 200 '"files":["one.xsb"]' GET /api/about
expect "a file that was named" 200 '#@ $ .#' GET /api/files/0
expect "a level set" 200 'Corridor' GET /api/sets/first
expect "instances" 200 '"total":1' POST /api/read "$level"
expect "advice" 200 '"outlook":"unknown"' POST /api/explain "$level"
expect "a referee" 200 '"pushes":2' POST /api/check "${level%\}},\"solution\":\"rRR\"}"
expect "a job" 201 '"state":"' POST /api/jobs "$level"
id=$(sed -n 's/.*"id":"\([0-9a-f]*\)".*/\1/p' answer)
expect "its events" 200 '"solution":"rRR"' GET "/api/jobs/$id/events"
expect "its result" 200 '"state":"ended"' GET "/api/jobs/$id"
expect "another name for the server" 421 'name' GET / "" "Host: evil.example"
expect "a page of another site" 403 'other sites' POST /api/jobs "$level" "Origin: http://evil.example"
expect "a form" 415 'application/json' POST /api/jobs "$level" "Content-Type: text/plain"
expect "a search that does not end" 201 '"state":"' POST /api/jobs \
    "{\"domain\":\"pancake\",\"method\":\"random\",\"text\":\"$(seq -s' ' 40 -2 2) $(seq -s' ' 1 2 39)\"}"
id=$(sed -n 's/.*"id":"\([0-9a-f]*\)".*/\1/p' answer)
expect "is cancelled" 200 '"cancelled":true' DELETE "/api/jobs/$id"
expect "and ends" 200 'event: end' GET "/api/jobs/$id/events"

if [ -n "$stored" ]; then
    lab() { # NAME STATUS PART QUESTION
        expect "lab: $1" "$2" "$3" POST /api/lab "{\"experiment\":\"small\",$4}"
    }
    expect "the lab's stores" 200 '"title":"Small stacks","runs":6,"finished":6' GET /api/lab
    lab "means" 200 '["A*",3,' '"show":"means"'
    lab "a comparison" 200 'equal on all pairs' '"show":"compare","of":"value"'
    lab "the report" 200 '"figures":[{"title":"Nodes"' '"show":"report"'
    lab "a figure" 200 '{"name":"breadth","points":[{"x":1,' '"show":"figure","x":"number","y":"nodes"'
    lab "a profile" 200 '"y":"runs (%)"' '"show":"figure","kind":"profile","y":"nodes"'
    lab "curves" 200 '"series":[' '"show":"figure","kind":"curves"'
    lab "runs" 200 '"solved"' '"show":"runs"'
    lab "one run" 200 '"domain":"pancake"' '"show":"run","run":1'
    lab "no such run" 422 'no such run' '"show":"run","run":99'
    lab "a column that is not offered" 400 'y: expected one of ' '"show":"figure","y":"(SELECT 1)"'
    lab "a store by its name" 400 'store: expected the number of a store, counted from 0' '"store":"small.db"'
    lab "no such store" 404 'store of this number' '"store":1'
    expect "runs that belong to two sources" 200 '"name":"many","title":"","runs":21,"finished":21' GET /api/lab
    expect "lab: too many labels to compare" 422 '21 labels are too many' POST /api/lab '{"experiment":"many","show":"compare"}'
    expect "lab: no such experiment" 422 'no experiment x' POST /api/lab '{"experiment":"x"}'
else
    expect "no store" 404 'no store' POST /api/lab '{"experiment":"x"}'
fi
expect "a training" 200 '"rows":[{"row":0,' POST /api/training '{"number":0}'
expect "its games" 200 '"games":[{"text":"12\n22","score":-7,"solution":"[[1,0]]"},{"text":"11\n22"' POST /api/training '{"number":0}'
expect "only its newest rows" 200 '"rows":[]' POST /api/training '{"number":0,"from":1}'
expect "no such training" 404 'no training' POST /api/training '{"number":1}'

# attempt NAME WORDS...: runs the client, whose last words are shown if it fails
attempt() {
    local name=$1
    shift
    "$client" "$port" "$@" > said
    local well=$?
    [ $well -eq 0 ] || cat said
    verdict "$name" $well
}
attempt "10,000 malformed requests" malformed 10000
attempt "slow clients" slow 60
resident() { awk '/^VmRSS/ { print $2 }' /proc/$server/status; }
attempt "50 clients, 500 jobs" load 50 500
before=$(resident)
attempt "500 jobs again" load 50 500
after=$(resident)
if [ -z "$sanitized" ]; then
    [ $((after - before)) -lt 8192 ]
    verdict "memory stays flat: $before KiB, then $after KiB" $?
fi
chunked() {
    exec 3<> "/dev/tcp/127.0.0.1/$port"
    printf 'POST /api/read HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n' "$port" >&3
    for ((i = 0; i < 9; i++)); do
        printf '100000\r\n%1048576s\r\n' "" >&3
    done
    printf '0\r\n\r\n' >&3
    head -n 1 <&3
    exec 3>&-
}
chunked | grep -q '^HTTP/1.1 413 '
verdict "9 MiB whose length is not announced are refused with a sentence" $?
printf 'GET /api/read HTTP/1.0\r\nHost: 127.0.0.1:%s\r\n\r\n' "$port" > ask
{ cat ask >&3; grep -qi '^Allow: POST' <&3; } 3<> "/dev/tcp/127.0.0.1/$port"
verdict "a wrong method learns the right one" $?
stop "after all this"

# A server that ends tells its clients what became of their jobs.
start --jobs 1 --keep kept.jsonl
expect "a search that goes on" 201 '"state":"' POST /api/jobs \
    "{\"domain\":\"pancake\",\"method\":\"random\",\"text\":\"$(seq -s' ' 40 -2 2) $(seq -s' ' 1 2 39)\"}"
id=$(sed -n 's/.*"id":"\([0-9a-f]*\)".*/\1/p' answer)
expect "one behind it" 201 '"place":1' POST /api/jobs "$level"
behind=$(sed -n 's/.*"id":"\([0-9a-f]*\)".*/\1/p' answer)
follow() { # ID FILE: writes the events of a job to a file while they come
    exec 4<> "/dev/tcp/127.0.0.1/$port"
    printf 'GET /api/jobs/%s/events HTTP/1.0\r\nHost: 127.0.0.1:%s\r\n\r\n' "$1" "$port" >&4
    cat <&4 > "$2" &
    exec 4>&-
}
follow "$id" first
one=$!
follow "$behind" second
two=$!
until grep -q 'event: job' first && grep -q 'event: job' second; do sleep 0.1; done
kill -TERM $server
wait $server
wait $one $two
grep -A1 'event: end' first | grep -q '"cancelled":true.*"stopped":"cancel"' && grep -A1 'event: end' second | grep -q '"cancelled":true'
verdict "the events end with the server" $?
grep -q '"cancelled":true.*"kept":true.*"stopped":"cancel"' kept.jsonl
verdict "what it had found is kept" $?
server=

# Another address needs the token, which is a part of the printed address.
start --address 127.0.0.1 --port "$port"
expect "a loopback address needs no token" 200 '"version"' GET /api/about
stop "with an address"
start --address 0.0.0.0
token=${address#*token=}
expect "no token" 401 'token' GET /api/about
expect "the token begins a visit" 303 '' GET "/?token=$token"
expect "the token in a header" 200 '"version"' GET /api/about "" "Authorization: Bearer $token"
[ "${address%:*}" = http://127.0.0.1 ] && grep -q 'name of this machine in place of 127.0.0.1' says
verdict "the printed address opens on this machine" $?
stop "with a token"

"$program" serve --address nowhere 2> says
[ $? -eq 2 ] && grep -q 'is not an address' says
verdict "a wrong address is refused" $?
mkdir empty
"$program" serve empty 2> says
[ $? -eq 2 ] && grep -q 'empty holds no training run' says
verdict "a folder without a training is refused" $?
"$program" serve none.xsb 2> says
[ $? -eq 2 ] && grep -q 'no such file' says
verdict "a wrong file is refused" $?
printf '\177ELF\0\1' > binary
for file in small.lab binary; do
    "$program" serve $file 2> says
    [ $? -eq 2 ] && grep -q "$file is not recognised as a file of puzzles" says
    verdict "$file is refused" $?
done
"$program" serve one.xsb:1-2 2> says
[ $? -eq 2 ] && grep -q 'one.xsb:1-2: the page shows whole files' says
verdict "a range is refused" $?
"$program" serve --network nofile 2> says
[ $? -eq 2 ] && grep -q 'serve: --network: .*nofile' says
verdict "a network that is not there is refused" $?
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
