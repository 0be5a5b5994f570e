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
start one.xsb --jobs 4 --threads 2 --memory 64M --time 60
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
    '{"domain":"pancake","method":"random","text":"8 1 7 2 6 3 5 4 9 11 10"}'
id=$(sed -n 's/.*"id":"\([0-9a-f]*\)".*/\1/p' answer)
expect "is cancelled" 200 '"cancelled":true' DELETE "/api/jobs/$id"
expect "and ends" 200 'event: end' GET "/api/jobs/$id/events"

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
stop "after all this"

# Another address needs the token, which is a part of the printed address.
start --address 127.0.0.1 --port "$port"
expect "a loopback address needs no token" 200 '"version"' GET /api/about
stop "with an address"
start --address 0.0.0.0
token=${address#*token=}
expect "no token" 401 'token' GET /api/about
expect "the token begins a visit" 303 '' GET "/?token=$token"
expect "the token in a header" 200 '"version"' GET /api/about "" "Authorization: Bearer $token"
stop "with a token"

"$program" serve --address nowhere 2> says
[ $? -eq 2 ] && grep -q 'is not an address' says
verdict "a wrong address is refused" $?
"$program" serve none.xsb 2> says
[ $? -eq 2 ] && grep -q 'no such file' says
verdict "a wrong file is refused" $?
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
