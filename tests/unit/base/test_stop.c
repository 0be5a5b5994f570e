/* Stop tokens: cancelled, past a deadline, stopped with their parent; and whether somebody saw it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/stop.h"

static void a_token_is_cancelled(void **unused) {
    (void)unused;
    soloist_stop_token *token = soloist_stop_token_new();
    assert_false(soloist_stopped(token));
    assert_false(stop_token_was_seen(token));
    soloist_stop_token_cancel(token);
    assert_true(stop_token_is_stopped(token));
    assert_false(stop_token_was_seen(token));
    assert_true(soloist_stopped(token));
    assert_true(stop_token_was_seen(token));
    soloist_stop_token_free(token);
    assert_false(soloist_stopped(NULL));
}

/* No waiting: a deadline that is a nanosecond away has passed at the next reading of the clock but one. */
static void a_deadline_passes(void **unused) {
    (void)unused;
    soloist_stop_token token;
    stop_token_open(&token, NULL);
    soloist_stop_token_deadline(&token, 1e6);
    assert_false(soloist_stopped(&token));
    soloist_stop_token_deadline(&token, 1e300);
    assert_false(soloist_stopped(&token));
    soloist_stop_token_deadline(&token, 1e-9);
    while (!soloist_stopped(&token)) {
    }
    soloist_stop_token_deadline(&token, 0);
    assert_false(soloist_stopped(&token));
}

static void a_child_stops_with_its_parent(void **unused) {
    (void)unused;
    soloist_stop_token parent, child;
    stop_token_open(&parent, NULL);
    _Atomic int why = -1;
    parent.why = &why;
    stop_token_open(&child, &parent);
    soloist_stop_token_cancel(&child);
    assert_true(soloist_stopped(&child));
    assert_false(soloist_stopped(&parent));
    assert_false(stop_token_was_seen(&parent)); /* it goes on */
    assert_int_equal(why, -1);
    stop_token_open(&child, &parent);
    soloist_stop_token_cancel(&parent);
    assert_true(soloist_stopped(&child));
    assert_true(stop_token_was_seen(&child));
    assert_true(stop_token_was_seen(&parent));
    assert_int_equal(why, SOLOIST_STOP_CANCEL);
}

/* A run has reached its time limit if its own deadline has passed, but was cancelled if that of the program's token
 * has. */
static void a_deadline_of_the_program_cancels(void **unused) {
    (void)unused;
    soloist_stop_token program, run, part;
    _Atomic int why = -1;
    stop_token_open(&program, NULL);
    stop_token_open(&run, &program);
    stop_token_open(&part, &run);
    run.why = &why;
    soloist_stop_token_deadline(&program, 1e-9);
    while (!soloist_stopped(&part)) {
    }
    assert_int_equal(why, SOLOIST_STOP_CANCEL);
    why = -1;
    soloist_stop_token_deadline(&program, 0);
    soloist_stop_token_deadline(&run, 1e-9);
    while (!soloist_stopped(&part)) {
    }
    assert_int_equal(why, SOLOIST_STOP_TIME);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_token_is_cancelled),
        cmocka_unit_test(a_deadline_passes),
        cmocka_unit_test(a_child_stops_with_its_parent),
        cmocka_unit_test(a_deadline_of_the_program_cancels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
