/* Threads make candidates, each from its own random stream; the results are taken in the order of the candidates. The
 * range of efforts that candidate i aims at is decided when the result of candidate i - WINDOW has been taken.
 * Therefore the instances that are kept depend on the seed, but not on the number of threads; the clock decides only
 * when to stop.
 *
 * With `graded`, the range of efforts is divided into steps of equal ratio, and each step gets the same number of
 * instances. If instances are changed until they fit, a candidate aims at one of the steps that still need
 * instances. */
#include "engine/grade.h"
#include "base/decimal.h"
#include "base/real.h"
#include "base/team.h"
#include "engine/grade_candidate.h"
#include "engine/solutions.h"
#include "search/special/registry.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 50, MOST_FAILURES = 50, WINDOW = 64, SURE_DUPLICATES = 20 };
enum { HARDEST_DRAWN = 1000000, HARDEST_CHANGED = 50000 };

/* A range of efforts, and how many instances of it were wanted, found and tried for. once: those found that have not
 * been drawn again. */
struct step {
    double least, most;
    uint64_t left, found, once, tried;
};

struct slot {
    struct grade_candidate candidate;
    size_t step; /* the step that it aims at */
    bool done;
};

struct grading {
    const soloist *engine;
    const soloist_domain *domain;
    const void *options;
    const struct grade *grade;
    const struct grade_callbacks *callbacks;
    struct grade_result *result;
    soloist_error *error;
    soloist_stop_token token;
    double start_s;
    bool aims; /* each candidate aims at one step */
    struct step steps[MOST_STEPS];
    size_t step_count, last_aim;
    uint32_t *known; /* hash table of the forms of all instances kept: 1 + index; 0: empty */
    size_t known_size;

    pthread_mutex_t lock;
    pthread_cond_t moved; /* a candidate was taken, or the run is over */
    struct slot slots[WINDOW];
    uint64_t next, taken; /* numbers of the next candidate to be made and to be taken */
    bool over;
    soloist_code code;
};

bool grade_wanted(const struct grade *grade) {
    bool wanted = grade->graded || grade->measured;
    for (int i = 0; i < MEASURES; i++)
        wanted |= measure_is_banded(&grade->bands, (enum measure)i);
    return wanted;
}

/* ---- steps ---- */

/* The least whole effort of step number i. */
static double step_edge(const struct grading *grading, size_t i, size_t count) {
    double least = grading->grade->bands.least[MEASURE_EFFORT], most = grading->grade->bands.most[MEASURE_EFFORT];
    least = least >= 1 ? least : 1;
    double edge = least * real_exp(real_log(most / least) * (double)i / (double)count);
    return i ? (double)(int64_t)(edge + 1 - 1e-9) : least;
}

/* Steps that contain no whole number are left out; their instances go to the next step. */
static void open_steps(struct grading *grading) {
    uint64_t wanted = grading->grade->count;
    size_t count = !grading->grade->graded ? 1 : wanted < MOST_STEPS ? wanted : MOST_STEPS;
    uint64_t given = 0;
    for (size_t i = 0; i < count; i++) {
        double most = i + 1 < count ? step_edge(grading, i + 1, count) - 1 : grading->grade->bands.most[MEASURE_EFFORT];
        double least = step_edge(grading, i, count);
        if (most < least)
            continue;
        uint64_t upto = wanted / count * (i + 1) + wanted % count * (i + 1) / count;
        grading->steps[grading->step_count++] = (struct step){least, most, upto - given, 0, 0, 0};
        given = upto;
    }
    if (grading->step_count)
        grading->steps[grading->step_count - 1].left += wanted - given;
}

static struct step *step_of(struct grading *grading, double effort) {
    size_t i = grading->step_count - 1;
    while (i && effort < grading->steps[i].least)
        i--;
    return &grading->steps[i];
}

/* Chooses what the candidate in this slot aims at: the steps that need instances take turns. */
static void aim(struct grading *grading, struct slot *slot, uint64_t number) {
    struct grade_candidate *candidate = &slot->candidate;
    size_t step = grading->last_aim;
    for (size_t i = 0; i < grading->step_count; i++) {
        step = (step + 1) % grading->step_count;
        if (grading->steps[step].left)
            break;
    }
    *slot = (struct slot){.step = step};
    grading->last_aim = step;
    *candidate = (struct grade_candidate){.engine = grading->engine,
                                          .domain = grading->domain,
                                          .options = grading->options,
                                          .grade = grading->grade,
                                          .bands = grading->grade->bands,
                                          .stop = &grading->token,
                                          .number = number};
    if (grading->aims) {
        candidate->bands.least[MEASURE_EFFORT] = grading->steps[step].least;
        candidate->bands.most[MEASURE_EFFORT] = grading->steps[step].most;
    }
}

/* How many more candidates are to be expected. The chance that the next candidate is a new instance is estimated by the
 * share of the candidates so far whose instance has not been drawn again (Good-Turing estimate). */
static void estimate(const struct grading *grading, struct grade_result *result) {
    result->expected = 0;
    result->at_least = false;
    result->exhausted = result->equal >= SURE_DUPLICATES;
    for (size_t i = 0; i < grading->step_count; i++) {
        const struct step *step = &grading->steps[i];
        double tried = grading->aims ? (double)step->tried : (double)result->candidates;
        double needed = (double)step->left * (tried + 1) / (double)(step->once ? step->once : 1);
        if (!step->left)
            continue;
        result->exhausted &= step->found && !step->once;
        result->at_least |= step->once <= step->found / 2;
        if (grading->aims)
            result->expected += needed;
        else if (needed > result->expected)
            result->expected = needed;
    }
}

/* ---- instances that are kept ---- */

/* The place of a form in the hash table: where it is, or the empty place where it belongs. */
static uint32_t *known_place(const struct grading *grading, const struct canonical_form *form) {
    size_t at = form->hash & (grading->known_size - 1);
    while (grading->known[at] && !canonical_form_equal(&grading->result->levels[grading->known[at] - 1].form, form))
        at = (at + 1) & (grading->known_size - 1);
    return &grading->known[at];
}

/* Makes room for one more instance; false if memory runs out. */
static bool make_room(struct grading *grading) {
    struct grade_result *result = grading->result;
    if (result->count < result->room)
        return true;
    size_t room = result->room ? result->room * 2 : 64;
    struct grade_level *levels = realloc(result->levels, room * sizeof *levels);
    if (levels)
        result->levels = levels;
    uint32_t *known = levels ? calloc(room * 2, sizeof *known) : NULL;
    if (!known)
        return false;
    result->room = room;
    free(grading->known);
    grading->known = known;
    grading->known_size = room * 2;
    for (size_t i = 0; i < result->count; i++)
        *known_place(grading, &levels[i].form) = (uint32_t)i + 1;
    return true;
}

/* A kept instance was drawn again. */
static void note_duplicate(struct grading *grading, struct grade_level *level) {
    if (++level->drawn == 2)
        step_of(grading, level->measures.value[MEASURE_EFFORT])->once--;
}

/* Keeps the candidate's instance unless it is not needed or a duplicate. */
static soloist_code take_level(struct grading *grading, struct grade_candidate *candidate) {
    struct grade_result *result = grading->result;
    struct grade_level *level = &candidate->level;
    struct step *step = step_of(grading, level->measures.value[MEASURE_EFFORT]);
    if (!make_room(grading))
        return grade_level_free(level), SOLOIST_NO_MEMORY;
    uint32_t *place = known_place(grading, &level->form);
    result->equal += *place != 0;
    step->found += !*place;
    step->once += !*place;
    if (*place)
        note_duplicate(grading, &result->levels[*place - 1]);
    result->surplus += !*place && !step->left;
    if (*place || !step->left)
        return grade_level_free(level), SOLOIST_OK;
    step->left--;
    level->drawn = 1;
    result->levels[result->count++] = *level;
    *place = (uint32_t)result->count;
    if (!grading->grade->graded && grading->callbacks->kept)
        grading->callbacks->kept(grading->callbacks->user, &result->levels[result->count - 1], result->count);
    return SOLOIST_OK;
}

/* A size that was chosen at random may be impossible; this is an error only if all sizes are impossible. */
static soloist_code take_failure(struct grading *grading, const struct grade_candidate *candidate) {
    struct grade_result *result = grading->result;
    if (result->candidates > ++result->failed || result->failed < MOST_FAILURES)
        return SOLOIST_OK;
    *grading->error = candidate->error;
    return candidate->code;
}

/* Takes the result of the next candidate. Returns false if the run ends with it. */
static bool take(struct grading *grading, struct slot *slot) {
    struct grade_candidate *candidate = &slot->candidate;
    struct grade_result *result = grading->result;
    if (candidate->verdict == GRADE_STOPPED)
        return false;
    result->candidates++;
    grading->steps[slot->step].tried++;
    switch (candidate->verdict) {
    case GRADE_FITS: grading->code = take_level(grading, candidate); break;
    case GRADE_OUTSIDE: result->outside++; break;
    case GRADE_HARD: result->hard++; break;
    case GRADE_FAILED: grading->code = take_failure(grading, candidate); break;
    default: grading->code = candidate->code; *grading->error = candidate->error;
    }
    estimate(grading, result);
    result->time_s = clock_seconds() - grading->start_s;
    if (grading->callbacks->progress)
        grading->callbacks->progress(grading->callbacks->user, result);
    return grading->code == SOLOIST_OK && result->count < grading->grade->count;
}

/* ---- threads ---- */

/* Takes all results that come next in order. The lock is held. */
static void take_finished(struct grading *grading) {
    while (!grading->over && grading->slots[grading->taken % WINDOW].done) {
        struct slot *slot = &grading->slots[grading->taken % WINDOW];
        if (take(grading, slot))
            aim(grading, slot, grading->taken + WINDOW);
        else
            grading->over = true;
        grading->taken++;
    }
    pthread_cond_broadcast(&grading->moved);
}

static void make_candidates(void *user, int worker) {
    struct grading *grading = user;
    (void)worker;
    pthread_mutex_lock(&grading->lock);
    while (!grading->over) {
        if (grading->next == grading->taken + WINDOW) {
            pthread_cond_wait(&grading->moved, &grading->lock);
            continue;
        }
        struct slot *slot = &grading->slots[grading->next++ % WINDOW];
        pthread_mutex_unlock(&grading->lock);
        grade_candidate_make(&slot->candidate);
        pthread_mutex_lock(&grading->lock);
        slot->done = true;
        take_finished(grading);
    }
    pthread_mutex_unlock(&grading->lock);
}

/* ---- all candidates ---- */

static int by_effort(const void *a, const void *b) {
    const struct grade_level *x = a, *y = b;
    static const enum measure keys[] = {MEASURE_EFFORT, MEASURE_COST};
    for (int i = 0; i < 2; i++)
        if (x->measures.value[keys[i]] != y->measures.value[keys[i]])
            return x->measures.value[keys[i]] < y->measures.value[keys[i]] ? -1 : 1;
    return x->candidate < y->candidate ? -1 : 1;
}

static soloist_code refuse_measure(const soloist_domain *domain, enum measure measure, soloist_error *error) {
    soloist_fail(error, 0, 0, "%s has no measure %s", domain->name, measure_name(measure));
    return SOLOIST_UNSUPPORTED;
}

/* Refuses a band that no instance can be in. */
static soloist_code check_band(const struct measure_bands *bands, enum measure measure, soloist_error *error) {
    double least = bands->least[measure], most = bands->most[measure];
    bool capped = measure_has_most(bands, measure), whole = measure_is_whole(measure);
    if (capped && most < least)
        soloist_fail(error, 0, 0, "%s: the upper limit is below the lower one", measure_name(measure));
    else if (capped && whole && floor(most) < least)
        soloist_fail(error, 0, 0, "%s: no whole number lies between the limits", measure_name(measure));
    else if (least > measure_highest(measure))
        soloist_fail(error, 0, 0, "%s: the lower limit must be at most %g", measure_name(measure),
                     measure_highest(measure));
    else if (capped && most < measure_lowest(measure))
        soloist_fail(error, 0, 0, "%s: the upper limit must be at least %g", measure_name(measure),
                     measure_lowest(measure));
    else
        return SOLOIST_OK;
    return SOLOIST_MISUSE;
}

static soloist_code check_wish(const soloist_domain *domain, const struct grade *grade, soloist_error *error) {
    if (domain->aim != SOLOIST_LEAST_COST || !domain->bound) {
        soloist_fail(error, 0, 0, "%s does not minimise a cost with a bound, so difficulty cannot be proved",
                     domain->name);
        return SOLOIST_UNSUPPORTED;
    }
    soloist_code code = SOLOIST_OK;
    for (int i = 0; i < MEASURES && code == SOLOIST_OK; i++)
        code = measure_is_banded(&grade->bands, (enum measure)i) && !measure_suits((enum measure)i, domain)
                   ? refuse_measure(domain, (enum measure)i, error)
                   : check_band(&grade->bands, (enum measure)i, error);
    return code;
}

/* Upper limits of the effort if none is given. Where instances are changed until they fit, each change is solved, which
 * must not take long. */
static double most_effort(const soloist_domain *domain, const struct grade *grade) {
    double most = grade->bands.most[MEASURE_EFFORT], least = grade->bands.least[MEASURE_EFFORT];
    if (measure_has_most(&grade->bands, MEASURE_EFFORT))
        return most;
    if (grade->unchanged || !special_generate(domain))
        return HARDEST_DRAWN;
    return least > HARDEST_CHANGED / 10 ? least * 10 : HARDEST_CHANGED;
}

static void make_all(struct grading *grading) {
    grading->aims = grading->grade->graded && !grading->grade->unchanged && special_generate(grading->domain);
    open_steps(grading);
    grading->last_aim = grading->step_count - 1;
    stop_token_open(&grading->token, grading->callbacks->stop);
    if (grading->grade->time_s > 0)
        stop_token_deadline_at(&grading->token, grading->start_s + grading->grade->time_s);
    for (size_t i = 0; i < WINDOW; i++)
        aim(grading, &grading->slots[i], i);
    grading->over = !grading->grade->count || stop_token_is_stopped(&grading->token);
    pthread_mutex_init(&grading->lock, NULL);
    pthread_cond_init(&grading->moved, NULL);
    team_run(grading->grade->threads > 1 ? grading->grade->threads : 1, make_candidates, grading);
    pthread_cond_destroy(&grading->moved);
    pthread_mutex_destroy(&grading->lock);
}

/* Frees what was made but not taken. */
static void close_grading(struct grading *grading) {
    for (uint64_t i = grading->taken; i < grading->next; i++)
        grade_level_free(&grading->slots[i % WINDOW].candidate.level);
    free(grading->known);
}

soloist_code grade_make(const soloist *engine, const soloist_domain *domain, const void *options,
                        const struct grade *grade, const struct grade_callbacks *callbacks, struct grade_result *result,
                        soloist_error *error) {
    struct grade whole = *grade;
    *result = (struct grade_result){0};
    whole.bands.most[MEASURE_EFFORT] = result->most_effort = most_effort(domain, grade);
    if (!measure_has_most(&grade->bands, MEASURE_EFFORT) && grade->bands.least[MEASURE_EFFORT] > result->most_effort) {
        soloist_fail(error, 0, 0,
                     "effort: the lower limit is above %.0f, the upper limit if none is given: set an upper limit too",
                     result->most_effort);
        return SOLOIST_MISUSE;
    }
    soloist_code code = check_wish(domain, &whole, error);
    if (code != SOLOIST_OK)
        return code;
    struct grading *grading = calloc(1, sizeof *grading);
    if (!grading)
        return SOLOIST_NO_MEMORY;
    *grading = (struct grading){.engine = engine,
                                .domain = domain,
                                .options = options,
                                .grade = &whole,
                                .callbacks = callbacks,
                                .result = result,
                                .error = error,
                                .start_s = clock_seconds()};
    make_all(grading);
    code = grading->code;
    close_grading(grading);
    free(grading);
    if (grade->graded)
        qsort(result->levels, result->count, sizeof *result->levels, by_effort);
    return code;
}

void grade_free(struct grade_result *result) {
    for (size_t i = 0; i < result->count; i++)
        grade_level_free(&result->levels[i]);
    free(result->levels);
    *result = (struct grade_result){0};
}

/* ---- the file ---- */

static void write_board(const char *board, const soloist_sink *sink) {
    soloist_put(sink, board);
    if (*board && board[strlen(board) - 1] != '\n')
        soloist_put(sink, "\n");
}

/* Readers of levels take the comment next to the board as the level's title, so this one comes first. Writes
 * "; 12 box lines, 9 box changes, ..." for the measures that are known. */
static void write_more(const struct measures *measures, const soloist_sink *sink) {
    static const struct {
        enum measure measure;
        const char *before, *after;
    } rows[] = {{MEASURE_BOX_LINES, "", " box lines"},       {MEASURE_BOX_CHANGES, "", " box changes"},
                {MEASURE_SESSIONS, "", " pushing sessions"}, {MEASURE_PLAYER_LINES, "", " player lines"},
                {MEASURE_BRANCHING, "branching ", ""},       {MEASURE_DEAD_ENDS, "dead ends ", "%"},
                {MEASURE_SYMMETRY, "symmetry ", ""}};
    const char *before = "; ";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char number[DECIMAL_ROOM];
        if (!measures->known[rows[i].measure])
            continue;
        decimal_write(measures->value[rows[i].measure], number);
        bool one = measures->value[rows[i].measure] == 1 && *rows[i].after == ' '; /* "1 box line" */
        soloist_print(sink, "%s%s%s%.*s", before, rows[i].before, number, (int)strlen(rows[i].after) - one,
                      rows[i].after);
        before = ", ";
    }
    soloist_put(sink, *before == ',' ? "\n" : "");
}

void grade_write(const soloist_domain *domain, const struct grade_level *level, size_t number,
                 const soloist_sink *sink) {
    const struct special_levels *levels = special_levels(domain);
    const double *value = level->measures.value;
    bool pushes = level->measures.known[MEASURE_PUSHES];
    int64_t cost = (int64_t)value[pushes ? MEASURE_PUSHES : MEASURE_COST], moves = (int64_t)value[MEASURE_MOVES];
    soloist_put(sink, "\n");
    write_more(&level->measures, sink);
    soloist_print(sink, "; %zu: %s%" PRId64 "%s, %" PRId64 " move%s, effort %" PRIu64 "\n", number,
                  pushes ? "" : "cost ", cost,
                  !pushes     ? ""
                  : cost == 1 ? " push"
                              : " pushes",
                  moves, moves == 1 ? "" : "s", (uint64_t)value[MEASURE_EFFORT]);
    if (levels) {
        soloist_put(sink, "\n");
        solutions_write_collection(level->board, NULL, level->solution, sink);
    } else {
        write_board(level->board, sink);
    }
}
