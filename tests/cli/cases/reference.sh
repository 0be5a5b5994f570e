# The API reference: every declaration of the headers has a comment that Doxygen finds.

# Makes the reference of the headers below ./checkout.
make_reference() {
    last="doxygen docs/reference/Doxyfile"
    mkdir -p checkout/build
    (cd checkout && doxygen docs/reference/Doxyfile) > out 2> err
    rc=$?
}

test_reference_is_complete() {
    command -v doxygen > /dev/null || { skip "needs doxygen"; return; }
    mkdir -p checkout/docs checkout/scripts
    cp -r "$source_dir/include" checkout
    cp -r "$source_dir/docs/reference" checkout/docs
    cp "$source_dir/scripts/reference.awk" checkout/scripts
    make_reference
    expect_rc 0
    expect_silence err
    grep -q 'one instance per line' checkout/build/reference/html/*.html || fault "comments are missing"
    # A function, a field and a method without a comment are noticed.
    sed -i 's/^void soloist_free(soloist \*engine);/&\n\nint soloist_nothing(void);/' checkout/include/soloist.h
    sed -i 's/^typedef struct soloist_work {/&\n    int field_without_comment;/' checkout/include/soloist.h
    sed -i 's/^    soloist_stop_token \*get() const.*/&\n    int bare() { return 1; }/' checkout/include/soloist.hpp
    make_reference
    [ $rc -ne 0 ] || fault "missing comments are accepted"
    expect_err 'soloist_nothing.* is not documented'
    expect_err 'field_without_comment.* is not documented'
    expect_err 'bare.* is not documented'
}
