#!/usr/bin/env bash
# Tries the Debian packages of dist/ (scripts/package.sh) as on a fresh machine: try_packages.sh [FOLDER]
# Makes a clean root folder with mmdebstrap from apt's own sources and installs the packages there; then solves a level,
# reads a manual page, opens the page, compiles programs and a plugin against libsoloist-dev, imports the package in
# Python, and removes everything again. Needs root. Ends with the numbers passed and failed.
set -u
packages=$(cd "${1:-$(dirname "$0")/../dist}" && pwd) || exit 2
ls "$packages"/*.deb > /dev/null 2>&1 || { echo "no packages in $packages: run make package" >&2; exit 2; }
if [ "$(id -u)" != 0 ] || ! command -v mmdebstrap > /dev/null; then
    echo "SKIP needs root and mmdebstrap (clean root folder)"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
. /etc/os-release
# In a mount namespace of its own: whatever is mounted below the root folder is gone when this ends.
if [ -z "${TRY_PACKAGES_INSIDE-}" ] && unshare --mount true 2> /dev/null; then
    TRY_PACKAGES_INSIDE=1 exec unshare --mount --propagation private bash "$0" "$packages"
fi
root=$(mktemp -d)
trap 'umount "$root/proc" 2> /dev/null; rm -rf --one-file-system "$root" "$root.sources" "$root.log"' EXIT
chmod 755 "$root"
passed=0 failed=0

# Only the sources of Debian itself; what else this machine may have is not needed.
sources() {
    local file
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        [ ! -e "$file" ] || grep -hE '^deb .*debian\.org/' "$file"
    done
    for file in /etc/apt/sources.list.d/*.sources; do
        [ ! -e "$file" ] || awk 'BEGIN { RS = ""; ORS = "\n\n" } /debian\.org/' "$file"
    done
}
inside() { chroot "$root" /usr/bin/env -i PATH=/usr/bin:/bin:/usr/sbin:/sbin LC_ALL=C.UTF-8 HOME=/tmp "$@"; }
try() { # name, what the output must hold, shell command
    if inside bash -c "cd /tmp && $3" > "$root/out" 2>&1 && grep -qF -- "$2" "$root/out"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $1"
        tail -n 20 "$root/out"
    fi
}

echo "making a clean root folder"
sources > "$root.sources"
[ -s "$root.sources" ] || { echo "apt has no sources"; exit 2; }
mmdebstrap --variant=apt --quiet --skip=cleanup/apt "$VERSION_CODENAME" "$root" - < "$root.sources" > "$root.log" 2>&1 ||
    { tail -n 20 "$root.log"; echo "mmdebstrap failed"; exit 1; }
cp /etc/resolv.conf "$root/etc/"
mount -t proc proc "$root/proc" # the program finds its data from where it lies itself
cp "$packages"/*.deb "$root/tmp/"
rm -f "$root"/tmp/*-dbgsym_*.deb

apt="DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends"
try "installing the program" soloist "$apt install ./soloist_*.deb ./soloist-data_*.deb && command -v soloist"
try "the program alone" "no library" "! ls /usr/include/soloist.h /usr/lib/*/libsoloist* 2> /dev/null && echo no library"
try "version" "soloist " "soloist --version"
try "a level set by name" "12 solved of 12" "soloist solve first"
try "a file of our own" "rRR" "printf '#######\n#@ \$ .#\n#######\n' > level.xsb && soloist solve level.xsb --lurd"
try "a network" "1 solved of 1" "soloist generate samegame width=7,height=7 --seed 1 > board.txt &&
    soloist solve board.txt --method policy-mcts --iterations 50 --network /usr/share/soloist/networks/samegame-policy-7.safetensors"
try "the lab's store" "iterations_limit" "soloist lab run /usr/share/soloist/experiments/example.lab --scale 0.02 --quiet; soloist lab show"
try "manual pages" "soloist-solve.1" "ls /usr/share/man/man1"
try "completions" "_soloist" "cat /usr/share/bash-completion/completions/soloist /usr/share/zsh/vendor-completions/_soloist"
try "the page" "<title>Soloist" 'mkfifo address && { soloist serve > address & } && read -r url < address && port=${url##*:} &&
    exec 3<> "/dev/tcp/127.0.0.1/${port%/}" && printf "GET / HTTP/1.0\r\nHost: 127.0.0.1:%s\r\n\r\n" "${port%/}" >&3 && cat <&3 && kill $!'

try "installing the library" libsoloist "$apt install ./libsoloist*.deb gcc g++ libc6-dev cmake make pkg-config && pkg-config --libs soloist"
try "a program with the shared library" "rRR" "cp /usr/share/doc/libsoloist-dev/examples/solve.c . &&
    cc solve.c \$(pkg-config --cflags --libs soloist) -o shared && ldd ./shared | grep -q libsoloist && ./shared level.xsb"
try "a program with the static library" "rRR" "cc solve.c -Wl,-Bstatic \$(pkg-config --libs soloist) -Wl,-Bdynamic -pthread -lm -ldl -o static &&
    ! ldd ./static | grep libsoloist && ./static level.xsb"
try "a program in C++ by CMake" "rRR" "mkdir -p cxx && cp /usr/share/doc/libsoloist-dev/examples/solve_cpp.cpp cxx &&
    printf 'cmake_minimum_required(VERSION 3.20)\nproject(try C CXX)\nfind_package(Soloist REQUIRED)\nset(CMAKE_CXX_STANDARD 17)\nadd_executable(try solve_cpp.cpp)\ntarget_link_libraries(try Soloist::soloist)\n' > cxx/CMakeLists.txt &&
    cmake -S cxx -B cxx/build && cmake --build cxx/build && cxx/build/try level.xsb"
try "a plugin" "1 solved of 1" "cp /usr/share/doc/libsoloist-dev/examples/lights_out.c . && cc -shared -fPIC -O2 lights_out.c -o lights_out.so &&
    echo '5x5:1100100111010101011110111' > board.txt && soloist solve --plugin ./lights_out.so board.txt"

try "installing the Python package" soloist "$apt install ./python3-soloist_*.deb && dpkg -L python3-soloist"
try "solving from Python" "rRR" "python3 -c 'import soloist; print(soloist.solve(open(\"level.xsb\").read()).solution)'"
try "level sets from Python" "Corridor" "python3 -c 'import soloist; print(soloist.levels(\"first\")[0].name)'"

try "removing everything" "nothing left" "$apt purge soloist soloist-data 'libsoloist*' python3-soloist &&
    ! find /usr -name '*soloist*' | grep . && echo nothing left"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
