# The front page: every command that the README shows with its output gives that output, but for times and the number of
# cores, and every page that it points to is there.

# Times and the number of jobs depend on the machine.
masked() { sed -E 's/ +[0-9.]+ s\b/ TIME/; s/\([0-9]+ jobs? of [0-9]+ threads?\)/JOBS/'; }

test_readme_shows_true_output() {
    local shown=0 line='' inside='' command=''
    ln -s "$source_dir/data" data
    mkdir bin
    ln -s "$program" bin/soloist
    compare() {
        [ -n "$command" ] || return
        last=$command
        (PATH=$PWD/bin:$PATH; eval "$command") 2>&1 | masked > out
        masked < told | cmp -s - out || fault "another output than the README shows"
        shown=$((shown + 1))
        command=''
    }
    while IFS= read -r line; do
        case $line in
        '```') compare; [ -n "$inside" ] && inside='' || inside=1 ;;
        '$ '*) compare; command=${line#"$ "}; : > told ;;
        *) [ -z "$command" ] || printf '%s\n' "$line" >> told ;;
        esac
    done < "$source_dir/README.md"
    expect_equal "$shown" 5
}

test_readme_points_to_pages_that_exist() {
    local page file
    for page in README.md CONTRIBUTING.md docs/GUIDE.md; do
        last=$page
        while IFS= read -r file; do
            [ -e "$source_dir/$(dirname "$page")/$file" ] || fault "there is no $file"
        done < <(grep -oE '\]\([^)#:]+' "$source_dir/$page" | sed 's/^](//')
    done
}
