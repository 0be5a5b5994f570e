# scripts/deps.sh and the Makefile, with programs that only pretend to install and to compile.

# stub NAME LINE...: a program of that name, first in the PATH.
stub() {
    local name=$1
    shift
    mkdir -p bin
    { echo '#!/bin/sh'; printf '%s\n' "$@"; } > "bin/$name"
    chmod +x "bin/$name"
}

# An apt-get that counts its calls and runs the lines given as it is called.
write_stubs() {
    stub id 'echo 0'
    stub dpkg-query 'exit 1'
    stub sleep 'echo sleep >> calls'
    stub apt-get 'echo "$*" >> calls' "$@"
}

run_deps() {
    PATH=$PWD/bin:$PATH sh "$source_dir/scripts/deps.sh" levels > out 2> err
    rc=$?
    last="deps.sh levels"
}

test_deps_wait_for_another_package_manager() {
    write_stubs 'case $* in *update*) [ -e listed ] || { touch listed; echo "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt)" >&2; exit 100; } ;;' \
        '*) [ -e refused ] || { touch refused; echo "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 7 (apt)" >&2; exit 100; }' \
        '[ -e listed ] || { echo "E: Unable to locate package" >&2; exit 100; } ;;' esac
    run_deps
    expect_rc 0
    expect_out '^another program is installing packages: waiting for it to finish$'
    expect_equal "$(grep -c sleep calls)" 2
    expect_equal "$(grep -c install calls)" 3
    expect_equal "$(grep -c update calls)" 2
    expect_silence err
}

test_deps_that_cannot_be_installed() {
    write_stubs 'echo "E: Unable to locate package" >&2' 'exit 100'
    run_deps
    expect_rc 1
    expect_err 'Unable to locate package'
    expect_err '^could not install: cavepacker-data enigma-data$'
    ! grep -q sleep calls || fault "it waits although nothing is locked"
}

test_deps_waits_only_so_long() {
    write_stubs 'echo "E: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), is another process using it?" >&2' \
        'exit 100'
    run_deps
    expect_rc 1
    expect_err 'could not install'
    expect_equal "$(grep -c '^another' out)" 1
}

test_a_failed_compilation_ends_make() {
    stub cmake 'case $* in --build*) echo "file.c:1: error: no"; exit 2 ;; --install*) touch installed ;; esac'
    cp "$source_dir/Makefile" .
    local target
    for target in build install; do
        PATH=$PWD/bin:$PATH make -C . "$target" PREFIX="$PWD/there" > out 2> err
        rc=$?
        last="make $target"
        expect_rc 2
        expect_out 'file.c:1: error: no'
        refute_out 'is ready|installed below'
    done
    [ ! -e installed ] || fault "something was installed"
}
