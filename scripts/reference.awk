# Shows a header to Doxygen, which makes the API reference from it: plain comments become comments of its own kind. A
# comment before declarations holds for all of them, up to the next blank line; one behind a declaration holds for that
# one; headings hold for nothing.
function opens_statement() { return ended && depth == 0 && !fresh && doc != "" && $0 !~ /^#/ }

function finish_comment(line) {
    if (line ~ /\*\//) {
        inside = 0
        if (kind == "before")
            fresh = 1
    }
}

BEGIN { ended = 1 }

inside {
    print
    if (kind == "before")
        doc = doc "\n" $0
    finish_comment($0)
    next
}

/^[ \t]*\/\*/ {
    inside = 1
    kind = $0 ~ /----|====/ ? "heading" : "before"
    if (kind == "before") {
        sub(/\/\*/, NR == 1 ? "/** @file\n *" : "/**")
        doc = $0
    }
    print
    finish_comment($0)
    next
}

/^[ \t]*$/ { doc = ""; fresh = 0; print; next }

{
    code = $0
    sub(/\/\*.*/, "", code)
    if (opens_statement())
        print doc
    # Behind several names a comment would hold for the last one only.
    if (code ~ /^ +[a-z_0-9 ]+ \**[a-z_]+(, \**[a-z_]+)+;/ && $0 ~ /\/\*.*\*\// && !inside) {
        comment = "/**" substr($0, index($0, "/*") + 2)
        sub(/;.*/, "", code)
        count = split(code, names, ", ")
        match(names[1], /\**[a-z_]+$/)
        type = substr(names[1], 1, RSTART - 1)
        names[1] = substr(names[1], RSTART)
        for (i = 1; i <= count; i++)
            print comment "\n" type names[i] ";"
        next
    }
    if (index($0, "/*")) {
        inside = 1
        kind = "behind"
        sub(/\/\*/, "/**<")
    }
    print
    if (inside)
        finish_comment($0)
    if (code !~ /extern "C"/ && code !~ /^#/) {
        depth += gsub(/\{/, "{", code) - gsub(/\}/, "}", code)
        if (depth < 0)
            depth = 0
        ended = depth == 0 && code ~ /[;}][ \t]*$/
        if (ended)
            fresh = 0
    }
}
