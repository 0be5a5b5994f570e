# What `make install` leaves behind: a C program, a C++ program and a plugin are built against it, and the installed
# program finds its data.

need_install() {
    build=$(dirname "$program")
    [ -e "$build/cmake_install.cmake" ] && [ -e "$build/libsoloist.so" ] || { skip "needs the whole build"; return 1; }
    ! grep -qaE '__(a|t)san_init|__gcov_' "$program" || { skip "needs a build without sanitizers"; return 1; }
    local tool
    for tool in cmake pkg-config cc c++; do
        command -v $tool > /dev/null || { skip "needs $tool"; return 1; }
    done
}

# Installs below ./$1 and lets pkg-config and the loader look there.
install_below() {
    prefix=$PWD/$1
    last="cmake --install --prefix $prefix"
    cmake --install "$build" --prefix "$prefix" > out 2> err || fault "it cannot be installed"
    library=$(dirname "$(find "$prefix" -name 'libsoloist.so')")
    export PKG_CONFIG_PATH=$library/pkgconfig LD_LIBRARY_PATH=$library
}

# Compiles $2 with $1 and the flags that pkg-config gives, and runs it: its output is in ./out.
build_and_run() {
    last="$1 $2, with what pkg-config says"
    # shellcheck disable=SC2046
    $1 -Wall -Wextra -Werror "$2" $(pkg-config --cflags --libs soloist) -o program > out 2> err ||
        { fault "it does not compile"; return; }
    ./program > out 2> err
    rc=$?
    expect_rc 0
}

write_user_program() {
    cat > user.c << 'END'
#include <soloist.h>

#include <stdio.h>
#include <string.h>

int main(void) {
    const char *text = "#####\n#@$.#\n#####\n";
    soloist *engine = soloist_new();
    soloist_chunk chunk;
    soloist_puzzle puzzle;
    soloist_result result;
    soloist_error error;
    memset(&chunk, 0, sizeof chunk);
    chunk.text = text;
    chunk.length = strlen(text);
    chunk.line = 1;
    if (!engine || soloist_puzzle_read(soloist_find_domain(engine, "sokoban"), NULL, &chunk, &puzzle, &error) != SOLOIST_OK)
        return 1;
    if (soloist_solve(engine, &puzzle, "astar", NULL, NULL, &result, &error) != SOLOIST_OK)
        return 2;
    printf("%s %s\n", soloist_status_name(result.status), result.solution);
    soloist_result_free(&result);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
    return 0;
}
END
    sed 's/^#include <soloist.h>/&\n#include <soloist_method.h>\n#include <soloist_picture.h>/' user.c > user.cc
}

test_install_serves_programs() {
    need_install || return
    install_below "prefix with space"
    expect_equal "$(pkg-config --variable=prefix soloist)" "$prefix"
    install_below prefix
    expect_equal "$(pkg-config --variable=prefix soloist)" "$prefix"
    expect_equal "soloist $(pkg-config --modversion soloist)" "$("$prefix/bin/soloist" --version | head -n 1 | cut -d' ' -f1-2)"
    write_user_program
    build_and_run "cc -std=c11" user.c
    expect_out '^solved R$'
    build_and_run c++ user.cc
    expect_out '^solved R$'
}

# Every example, as its first lines say, against the shared and the static library of the installation.
test_install_runs_the_examples() {
    need_install || return
    install_below prefix
    local example flags
    head -c 4000 "$data/samegame.txt" > boards
    for flags in "$(pkg-config --cflags --libs soloist)" \
        "$(pkg-config --cflags soloist) $library/libsoloist.a $(pkg-config --libs --static soloist | sed 's/-lsoloist//')"; do
        for example in solve progress batch network; do
            last="cc examples/$example.c $flags"
            # shellcheck disable=SC2086
            cc -std=c11 -D_POSIX_C_SOURCE=200809L -Wall -Wextra "$source_dir/examples/$example.c" $flags -lpthread -o $example \
                > out 2> err || fault "it does not compile"
        done
        last="./solve"
        ./solve "$data/first.xsb" > out 2> err
        rc=$?
        expect_rc 0
        expect_out '^solved: rRR$'
        last="./progress"
        ./progress "$data/first.xsb" > out 2> err
        expect_out '^solved, ended by goal: rRR$'
        last="./batch"
        { cat "$data/first.xsb"; printf '\n####\n#@x#\n####\n'; } > some.xsb
        ./batch some.xsb > out 2> err
        expect_out '^1: solved rRR$'
        expect_out ': line [0-9]*: '
        last="./network"
        ./network "$data/networks/samegame-policy-7.safetensors" boards > out 2> err
        expect_out '^board 1: '
    done
    last="c++ examples/solve_cpp.cpp"
    # shellcheck disable=SC2046
    c++ -std=c++17 -Wall -Wextra -Werror "$source_dir/examples/solve_cpp.cpp" $(pkg-config --cflags --libs soloist) -o solve_cpp \
        > out 2> err || fault "it does not compile"
    ./solve_cpp "$data/first.xsb" > out 2> err
    rc=$?
    expect_rc 0
    expect_out '^sokoban, solved at 2 \(optimal\): rRR$'
    ./solve_cpp some.xsb > out 2> err
    rc=$?
    expect_rc 2
    expect_err '^some.xsb: line [0-9]+, column [0-9]+: '
    last="c++ examples/solve.c"
    # shellcheck disable=SC2046
    c++ -x c++ -Wall "$source_dir/examples/solve.c" -x none $(pkg-config --cflags --libs soloist) -o solve_cc > out 2> err ||
        fault "it does not compile as C++"
    ./solve_cc "$data/first.xsb" > out 2> err
    expect_out '^solved: rRR$'
}

test_install_serves_the_installed_program() {
    need_install || return
    install_below prefix
    local program=$prefix/bin/soloist
    printf '3x2:010111\n' > board
    # shellcheck disable=SC2046
    cc -shared -fPIC $(pkg-config --cflags soloist) "$source_dir/examples/lights_out.c" -o lights_out.so 2> err ||
        fault "the example does not compile"
    run solve --plugin ./lights_out.so board --json
    expect_rc 0
    expect_field status '"solved"'
    # shellcheck disable=SC2046
    cc -shared -fPIC $(pkg-config --cflags soloist) "$source_dir/examples/a_star.c" -o a_star.so 2> err ||
        fault "the example of a method does not compile"
    run solve --plugin ./lights_out.so --plugin ./a_star.so --method my-astar board --json
    expect_rc 0
    expect_field status '"solved"'
    # Away from the checkout, whose data it would find as well: a set that only the installation has.
    mv "$prefix/share/soloist/first.xsb" "$prefix/share/soloist/installed.xsb"
    SOLOIST_DATA='' run solve installed --only 1 --json
    expect_rc 0
    expect_field status '"solved"'
    expect_equal "$(find "$prefix" -path '*/man/man1/soloist.1' | wc -l)" 1
    expect_equal "$(find "$prefix" -path '*/man/man1/soloist-solve.1' | wc -l)" 1
    expect_equal "$(find "$prefix" -path '*/man/man1/*' | wc -l)" $(($("$program" help --words | wc -l) + 1))
    expect_equal "$(find "$prefix" -path '*/zsh/site-functions/_soloist' | wc -l)" 1
    expect_equal "$(find "$prefix" -path '*/fish/vendor_completions.d/soloist.fish' | wc -l)" 1
    expect_equal "$(find "$prefix" -path '*/bash-completion/completions/soloist' | wc -l)" 1
    bash -n "$(find "$prefix" -path '*/bash-completion/completions/soloist')" || fault "the completion is no bash"
    bash -c '. "$1" && complete -p soloist' - "$(find "$prefix" -path '*/bash-completion/completions/soloist')" > out 2> err ||
        fault "the completion does not speak for soloist"
}

# What is installed holds no path of the machine that built it, and can be removed again.
test_install_leaves_nothing_behind() {
    need_install || return
    mkdir -p prefix/share
    echo mine > prefix/share/mine
    install_below prefix
    last="paths in the installed files"
    ! grep -rlF "$source_dir" prefix || fault "a file holds $source_dir"
    cp "$build/install_manifest.txt" manifest
    last="scripts/uninstall.sh"
    sh "$source_dir/scripts/uninstall.sh" manifest > out 2> err || fault "it cannot be removed"
    expect_equal "$(find prefix -type f -o -type l)" "prefix/share/mine"
    expect_equal "$(find prefix -name '*oloist*')" ""
    sh "$source_dir/scripts/uninstall.sh" nothing > out 2> err
    rc=$?
    expect_rc 1
    expect_err '^uninstall: nothing is missing'
}

# The source tarball: the same bytes each time, everything in it that git knows, and it configures without git.
test_install_from_the_tarball() {
    command -v xz > /dev/null || { skip "needs xz"; return; }
    last="scripts/dist.sh"
    bash "$source_dir/scripts/dist.sh" "$PWD/first" > out 2> err || fault "there is no tarball"
    expect_silence err
    tar -xJf first/*.tar.xz
    (cd soloist-*/ && bash scripts/dist.sh "$OLDPWD/second") > out 2> err || fault "there is no tarball of the tarball"
    last="cmp of the two tarballs"
    cmp first/*.tar.xz second/*.tar.xz || fault "a tarball made of a tarball differs from it"
    last="cmake in the unpacked source"
    cmake -S soloist-*/ -B made -DSOLOIST_TESTS=OFF > out 2> err || fault "it does not configure"
    expect_equal "$(ls -d soloist-*/)" "soloist-$("$program" --version | sed -n '1s/^soloist \([^ ]*\).*/\1/p')/"
}

# find_package(Soloist) in a project of C and C++, also after the installation was moved elsewhere.
test_install_serves_cmake() {
    need_install || return
    install_below prefix
    local version
    version=$(pkg-config --modversion soloist)
    mv prefix "moved prefix"
    unset LD_LIBRARY_PATH PKG_CONFIG_PATH
    write_user_program
    mkdir project
    cp user.c user.cc project
    cat > project/CMakeLists.txt << END
cmake_minimum_required(VERSION 3.20)
project(user LANGUAGES C CXX)
set(CMAKE_CXX_STANDARD 17)
find_package(Soloist ${version%.*} REQUIRED)
add_executable(shared user.c)
target_link_libraries(shared PRIVATE Soloist::soloist)
add_executable(static user.cc)
target_link_libraries(static PRIVATE Soloist::static)
soloist_add_plugin(lights_out "$source_dir/examples/lights_out.c")
END
    last="cmake -S project"
    cmake -S project -B made -DCMAKE_PREFIX_PATH="$PWD/moved prefix" > out 2> err || fault "the package is not found"
    last="cmake --build"
    cmake --build made > out 2> err || fault "it does not compile"
    local kind
    for kind in shared static; do
        last="./made/$kind"
        ./made/$kind > out 2> err
        expect_out '^solved R$'
    done
    printf '3x2:010111\n' > board
    run solve --plugin made/lights_out.so board
    expect_rc 0
    last="cmake -S project, with a version that is not there"
    sed -i "s/Soloist ${version%.*}/Soloist 99.0/" project/CMakeLists.txt
    ! cmake -S project -B other -DCMAKE_PREFIX_PATH="$PWD/moved prefix" > out 2> err || fault "any version is accepted"
}

# The skeleton of a puzzle is built and tested as its Makefile says, against the installation.
test_install_serves_a_new_domain() {
    need_install || return
    command -v make > /dev/null || { skip "needs make"; return; }
    install_below prefix
    "$prefix/bin/soloist" new-domain my-puzzle > out 2> err || fault "there is no skeleton"
    last="make test, in the skeleton"
    make -C my-puzzle test SOLOIST="$prefix/bin/soloist" CFLAGS="-O1 -Wall -Wextra -Werror" > out 2> err
    rc=$?
    expect_rc 0
    expect_out '^all tests passed$'
    expect_out '^example.txt 2: keeps the contract$'
    expect_out '^2 solved of 2'
    make -C my-puzzle clean > /dev/null
    expect_equal "$(cd my-puzzle && echo *)" "Makefile README.md example.txt my_puzzle.c test_my_puzzle.c"
}

# A package is made below DESTDIR, and says nothing of it.
test_install_into_a_package() {
    need_install || return
    last="cmake --install under DESTDIR"
    DESTDIR=$PWD/root cmake --install "$build" --prefix /usr > out 2> err || fault "it cannot be installed"
    [ -x root/usr/bin/soloist ] || fault "there is no program"
    [ -e root/usr/include/soloist.h ] || fault "there is no header"
    expect_equal "$(sed -n 's/^prefix=//p' "$(find root -name soloist.pc)")" /usr
    ! grep -rlI "$PWD" root > out || fault "the place of the package is written into it"
}
