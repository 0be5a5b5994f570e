#!/usr/bin/env bash
# Ranks over a slow, lossy network: far.sh PATH_TO_SOLOIST. Two network namespaces are joined by relay.c, which delays each
# packet by 20 ms and drops 1 %; two ranks in each talk over TCP. Results must be those of one process. Only addresses
# inside the namespaces are used. Needs root, Open MPI and /dev/net/tun; without them it says so and passes.
set -u
program=$(readlink -f "${1:?usage: far.sh PATH_TO_SOLOIST}")
here=$(cd "$(dirname "$0")" && pwd)
data=$here/../../data
skip() {
    echo "SKIP $1 (tests/ranks/far.sh)"
    exit 0
}
[ "$(id -u)" = 0 ] || skip "needs root"
command -v mpirun > /dev/null || skip "needs Open MPI (openmpi-bin)"
[ -e "$(dirname "$program")/libsoloist_mpi.so" ] || skip "needs a build with MPI (libopenmpi-dev)"
command -v ip > /dev/null || skip "needs iproute2"
work=$(mktemp -d)
near=soloist-a-$$ far=soloist-b-$$ relay=
tidy() {
    [ -z "$relay" ] || kill "$relay" 2> /dev/null
    ip netns del $near 2> /dev/null
    ip netns del $far 2> /dev/null
    rm -rf "$work"
}
trap tidy EXIT
ip netns add $near 2> /dev/null && ip netns add $far || skip "needs network namespaces"
"${CC:-cc}" -O2 -o "$work/relay" "$here/relay.c" || exit 1
"$work/relay" $near $far 20 1 500 > "$work/relay.log" 2>&1 &
relay=$!
for _ in $(seq 100); do
    grep -q ready "$work/relay.log" && break
    kill -0 $relay 2> /dev/null || skip "needs /dev/net/tun ($(cat "$work/relay.log"))"
    sleep 0.1
done
ip -n $near addr add 10.77.0.1/24 dev far && ip -n $far addr add 10.77.0.2/24 dev far || exit 1
for space in $near $far; do
    ip -n $space link set lo up
    ip -n $space link set far up
done

# What mpirun calls instead of ssh: AGENT HOST COMMAND...; each namespace has a host name of its own.
cat > "$work/agent" << END
#!/bin/sh
shift
exec ip netns exec $far unshare --uts sh -c "hostname soloist-b; \$*"
END
chmod +x "$work/agent"

# ranks ARGS...: two ranks in each namespace.
ranks() {
    timeout -s KILL 200 ip netns exec $near unshare --uts sh -c 'hostname soloist-a; exec "$@"' sh \
        mpirun -q --allow-run-as-root --oversubscribe -H 10.77.0.1:2,10.77.0.2:2 -n 4 --mca plm_rsh_agent "$work/agent" \
        --mca plm_rsh_no_tree_spawn 1 --mca oob_tcp_if_include far --mca btl tcp,self --mca btl_tcp_if_include far \
        "$program" "$@"
}
steady() { sed -E 's/"(time_s|peak_mb|polish_s)":[^,]*,//g' "$1"; }
passed=0 failed=0
same() { # name
    if diff "$work/alone" "$work/together" > "$work/differ"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $1: $(head -n 3 "$work/differ")"
    fi
}

cd "$work" || exit 1
set -- "$data/first.xsb" "$data/tiles.txt" "$data/pancakes.txt" --json --threads 1 --nodes 20000 --time 0
"$program" solve "$@" > alone.json
ranks solve "$@" > together.json
steady alone.json > alone
steady together.json > together
same "solve, instances handed to ranks"

# Equal cost and proof by all ranks together.
echo "5 4 1 3 6 9 14 13 7 8 2 0 12 15 11 10" > file
for method in idastar astar bfs:; do
    [ $method != bfs: ] || echo "3 1 2 0" > file
    for way in alone together; do
        run=ranks
        [ $way = together ] || run=$program
        $run solve file --domain tiles --method ${method%:} --time 100 --json | grep -oE '"(cost|optimal|status)":[^,]*' > $way
    done
    same "solve by all ranks together, $method"
done

printf 'generate pancake n=9 count=20 seed=1 as stacks\nmethod uct as uct\nbudget iterations=300\nseeds 1-3\n' > e.lab
lines() { grep '^{"run":' "$1" | sed -E 's/"(time_s|cpu_s|peak_bytes|finished|seal)":("[^"]*"|[^,}]*),?//g' | sort; }
"$program" lab run e.lab --store alone.jsonl > /dev/null
ranks lab run e.lab --store together.jsonl > /dev/null
lines alone.jsonl > alone
lines together.jsonl > together
same "lab run"
echo "the network: $(tail -n 1 relay.log)"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
