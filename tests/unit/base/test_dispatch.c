/* Work handed to other ranks: every piece is answered once, parcels of any size arrive whole, and a stop ends it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/dispatch.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RANKS = 4, CORES = 2, PIECES = 300 };

/* ---- parcels ---- */

static void parcels_are_read_as_they_were_put(void **unused) {
    (void)unused;
    struct buffer parcel;
    size_t size;
    int number = 7, read = 0;
    buffer_open(&parcel);
    parcel_put_text(&parcel, "a text");
    parcel_put(&parcel, &number, sizeof number);
    parcel_put_text(&parcel, NULL);
    parcel_put_block(&parcel, "\0\1", 2);
    parcel_put_text(&parcel, "");
    struct parcel_reader reader = parcel_open(parcel.text, parcel.length);
    assert_string_equal(parcel_take_text(&reader), "a text");
    parcel_take(&reader, &read, sizeof read);
    assert_int_equal(read, 7);
    assert_null(parcel_take_text(&reader));
    assert_memory_equal(parcel_take_block(&reader, &size), "\0\1", 2);
    assert_int_equal(size, 2);
    assert_string_equal(parcel_take_text(&reader), "");
    assert_false(reader.wrong);
    parcel_take(&reader, &read, sizeof read);
    assert_true(reader.wrong);
    assert_int_equal(read, 0);
    buffer_close(&parcel);
}

/* A parcel that was cut off or altered is noticed, and nothing beyond its end is read. */
static void short_parcels_are_noticed(void **unused) {
    (void)unused;
    struct buffer parcel;
    buffer_open(&parcel);
    parcel_put_text(&parcel, "some text");
    for (size_t length = 0; length < parcel.length; length++) {
        char *copy = malloc(length ? length : 1);
        memcpy(copy, parcel.text, length);
        struct parcel_reader reader = parcel_open(copy, length);
        assert_null(parcel_take_text(&reader));
        assert_true(reader.wrong);
        free(copy);
    }
    buffer_close(&parcel);
}

/* ---- pieces ---- */

/* A piece is a number and that many bytes; the answer is the same bytes, each one greater. */
static void put_piece(struct buffer *parcel, uint64_t number) {
    size_t size = (size_t)(number * 37 % 2000); /* many are greater than a message */
    for (size_t i = 0; i < size; i++)
        parcel_put(parcel, &(char){(char)(number + i)}, 1);
}

static void work(void *user, struct dispatch_helper *helper, uint64_t number, struct parcel_reader *piece,
                 struct buffer *answer) {
    struct buffer note;
    (void)user;
    buffer_open(&note);
    parcel_put(&note, &number, sizeof number);
    dispatch_note(helper, number, &note);
    buffer_close(&note);
    while (piece->at < piece->end)
        parcel_put(answer, &(char){(char)(*piece->at++ + 1)}, 1);
}

struct scene {
    bool stops;    /* rank 0 stops after half of the pieces */
    bool together; /* every piece is for all ranks */
    bool refuses;  /* the last rank is never ready for a piece of all ranks */
    int wrong;     /* number of faults that rank 0 has found */
    int answered, skipped;
};

static void check_answer(struct scene *scene, const struct dispatch_news *news) {
    struct buffer wanted;
    struct parcel_reader answer = news->parcel;
    buffer_open(&wanted);
    put_piece(&wanted, news->number);
    scene->wrong += (size_t)(answer.end - answer.at) != wanted.length;
    for (size_t i = 0; i < wanted.length && answer.at < answer.end; i++)
        scene->wrong += *answer.at++ != (char)(wanted.text[i] + 1);
    buffer_close(&wanted);
}

static void take(struct scene *scene, const struct dispatch_news *news, char *seen) {
    if (news->kind == DISPATCH_NOTE) {
        scene->wrong += seen[news->number] != 0;
        seen[news->number] = 1;
        return;
    }
    scene->answered += news->kind == DISPATCH_ANSWER;
    scene->skipped += news->kind == DISPATCH_SKIPPED;
    scene->wrong += seen[news->number] != (news->kind == DISPATCH_ANSWER);
    seen[news->number] = 2;
    if (news->kind == DISPATCH_ANSWER)
        check_answer(scene, news);
}

static void hand_out(struct scene *scene, struct dispatch *dispatch) {
    struct dispatch_news news;
    soloist_error error;
    char seen[PIECES] = {0};
    uint64_t next = 0;
    int rank;
    do {
        while (next < PIECES && (rank = dispatch_room(dispatch, 1, PIECES - next))) {
            struct buffer piece;
            buffer_open(&piece);
            put_piece(&piece, next);
            scene->wrong += !dispatch_give(dispatch, rank, next++, 1, &piece, &error);
            buffer_close(&piece);
        }
        scene->wrong += !dispatch_next(dispatch, &news, &error);
        if (news.kind != DISPATCH_NOTHING)
            take(scene, &news, seen);
        else
            peers_wait(dispatch->mail.peers, NULL);
        if (scene->stops && next > PIECES / 2)
            dispatch_stop(dispatch);
    } while (dispatch->out && !scene->wrong);
    scene->wrong += !scene->stops && next < PIECES;
}

static void hand_to_all(struct scene *scene, struct dispatch *dispatch) {
    struct dispatch_news news;
    soloist_error error;
    for (uint64_t number = 0; number < 20; number++) {
        struct buffer piece;
        buffer_open(&piece);
        put_piece(&piece, number);
        scene->wrong += !dispatch_give_all(dispatch, number, &piece, &error);
        buffer_close(&piece);
        scene->wrong += dispatch_agree(dispatch, number % 3 != 1) != (number % 3 != 1 && !scene->refuses);
        while (dispatch->out && !scene->wrong) {
            scene->wrong += !dispatch_next(dispatch, &news, &error);
            scene->answered += news.kind == DISPATCH_ANSWER;
            if (news.kind == DISPATCH_NOTHING)
                peers_wait(dispatch->mail.peers, NULL);
        }
    }
}

static void work_with_all(void *user, struct dispatch_helper *helper, uint64_t number, struct parcel_reader *piece,
                          struct buffer *answer) {
    const bool *refuses = user;
    bool go = dispatch_helper_agree(helper, !*refuses);
    (void)number, (void)piece;
    parcel_put(answer, &go, sizeof go);
}

static void run_rank(void *user, struct peers *peers) {
    struct scene *scene = user;
    soloist_stop_token stop = {0};
    soloist_error error;
    bool refuses = scene->refuses && peers->rank == peers->count - 1;
    if (peers->rank) {
        struct dispatch_greeting greeting = {.ready = true, .cores = CORES};
        struct dispatch_work helper = {
            .cores = CORES, .stop = &stop, .work = scene->together ? work_with_all : work, .user = &refuses};
        dispatch_help(peers, &greeting, &helper, &error);
        return;
    }
    struct dispatch dispatch;
    struct buffer wish;
    buffer_open(&wish);
    scene->wrong += !dispatch_open(&dispatch, peers, &stop, &error) || dispatch.cores != (RANKS - 1) * CORES ||
                    !dispatch_begin(&dispatch, &wish, &error);
    if (scene->together)
        hand_to_all(scene, &dispatch);
    else
        hand_out(scene, &dispatch);
    dispatch_close(&dispatch);
}

static void run(struct scene *scene) {
    struct memory memory;
    memory_open(&memory, 0);
    assert_int_equal(peers_threads_run(&memory, RANKS, 512, run_rank, scene), RANKS);
    assert_int_equal(scene->wrong, 0);
}

static void every_piece_is_answered_once(void **unused) {
    (void)unused;
    struct scene scene = {0};
    run(&scene);
    assert_int_equal(scene.answered, PIECES);
}

static void a_stop_answers_what_was_given(void **unused) {
    (void)unused;
    struct scene scene = {.stops = true};
    run(&scene);
    assert_in_range(scene.answered + scene.skipped, 1, PIECES - 1);
}

static void all_ranks_begin_or_none(void **unused) {
    (void)unused;
    for (int refuses = 0; refuses < 2; refuses++) {
        struct scene scene = {.together = true, .refuses = refuses};
        run(&scene);
        assert_int_equal(scene.answered, 20 * (RANKS - 1));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parcels_are_read_as_they_were_put), cmocka_unit_test(short_parcels_are_noticed),
        cmocka_unit_test(every_piece_is_answered_once),      cmocka_unit_test(a_stop_answers_what_was_given),
        cmocka_unit_test(all_ranks_begin_or_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
