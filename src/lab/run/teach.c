#include "lab/run/teach.h"
#include "base/buffer.h"
#include "base/hash.h"
#include "base/json.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_ROOM = 4096 };

bool teach_key(const struct teaching *teaching, uint64_t *key) {
    char *method = lesson_spell(teaching->method, false);
    const char *const texts[] = {teaching->domain->name, teaching->options, teaching->boards, teaching->network,
                                 method};
    uint64_t milliseconds = (uint64_t)(teaching->limits->time_s * 1000);
    if (!method)
        return false;
    *key = hash_mix(teaching->limits->seed);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *key = hash_mix(*key ^ hash_bytes(texts[i], strlen(texts[i])));
    *key = hash_mix(*key ^ milliseconds) ^ (uint64_t)teaching->limits->threads;
    free(method);
    return true;
}

static bool folder_of(const struct teaching *teaching, char *path) {
    uint64_t key;
    if (!teach_key(teaching, &key))
        return false;
    snprintf(path, PATH_ROOM, "%.3900s/%016llx", teaching->folder, (unsigned long long)key);
    return true;
}

bool teach_weights(const char *network, const char *folder, char *path, size_t room) {
    unsigned long long key;
    if (sscanf(network, "trained %16llx", &key) != 1)
        return false;
    snprintf(path, room, "%s/%016llx/weights.safetensors", folder, key);
    return true;
}

static bool make_folder(const char *path, soloist_error *error) {
    return !mkdir(path, 0777) || errno == EEXIST || soloist_fail(error, 0, 0, "%.150s: %s", path, strerror(errno));
}

static bool is_begun(const char *folder) {
    char path[PATH_ROOM + 32];
    snprintf(path, sizeof path, "%s/counters.state", folder);
    return !access(path, F_OK);
}

/* ---- rows of an earlier attempt ---- */

static double real_of(struct json_value object, const char *name) {
    double value = NAN;
    return json_get_real(json_member(object, name), &value) ? value : NAN;
}

static uint64_t count_of(struct json_value object, const char *name) {
    uint64_t value = 0;
    return json_get_uint(json_member(object, name), &value) ? value : 0;
}

/* Reads one line of curve.jsonl. */
static struct training_row row_of(struct json_value object, const char *doing) {
    bool goal = json_member(object, "solve_rate").kind != JSON_NONE;
    return (struct training_row){
        .row = count_of(object, "row"),
        .time_s = real_of(object, "time_s"),
        .doing = doing,
        .generation = count_of(object, "generation"),
        .steps = count_of(object, "steps"),
        .games = count_of(object, "games"),
        .positions = count_of(object, "positions"),
        .training = {.policy = real_of(object, "policy_loss"), .value = real_of(object, "value_loss")},
        .validation = {.policy = real_of(object, "validation_policy_loss"),
                       .value = real_of(object, "validation_value_loss"),
                       .entropy = real_of(object, "validation_entropy")},
        .played = {count_of(object, "played"), real_of(object, "played_mean"), real_of(object, "played_interval")},
        .greedy = real_of(object, goal ? "solve_rate" : "greedy_mean"),
        .greedy_interval = real_of(object, goal ? "solve_rate_interval" : "greedy_interval"),
        .goal = goal,
        .cost = real_of(object, "mean_cost"),
        .evaluations = real_of(object, "evaluations_per_solved"),
        .stage = count_of(object, "stage"),
        .solve_rate = real_of(object, "iteration_solve_rate")};
}

bool teach_earlier_rows(const char *folder, void (*report)(void *user, const struct training_row *row), void *user) {
    char path[PATH_ROOM + 32], doing[64] = "";
    size_t length;
    snprintf(path, sizeof path, "%.4000s/curve.jsonl", folder);
    char *text = buffer_read_file(path, &length);
    if (!text && errno == ENOMEM)
        return false;
    soloist_cursor cursor = soloist_cursor_open(text ? text : "", text ? length : 0);
    const char *line;
    struct json_value object;
    for (size_t size; soloist_cursor_line(&cursor, &line, &size);)
        if (json_parse(line, size, &object, NULL) && object.kind == JSON_OBJECT) {
            json_get_text(json_member(object, "doing"), doing, sizeof doing);
            struct training_row row = row_of(object, doing);
            report(user, &row);
        }
    free(text);
    return true;
}

static bool run(struct training_wish *wish, double *time_s, soloist_error *error) {
    struct training_result result;
    /* The program may have been killed after a checkpoint and before its rows were committed to the store. */
    if (wish->resume && !teach_earlier_rows(wish->folder, wish->report, wish->user))
        return soloist_fail(error, 0, 0, "out of memory");
    bool well = training_run(wish, &result, error);
    if (!well && result.damaged) {
        wish->resume = false; /* start again */
        well = training_run(wish, &result, error);
    }
    if (!well)
        return false;
    *time_s = result.row.time_s;
    training_result_free(&result);
    return true;
}

static bool teach_network(const struct teaching *teaching, const struct net *net, double *time_s,
                          soloist_error *error) {
    char folder[PATH_ROOM];
    struct lesson lesson = {0};
    struct training_wish wish = {.engine = teaching->engine,
                                 .domain = teaching->domain,
                                 .domain_options = teaching->options,
                                 .generate = teaching->boards,
                                 .net = net,
                                 .time_s = teaching->limits->time_s,
                                 .seed = teaching->limits->seed,
                                 .threads = teaching->limits->threads,
                                 .folder = folder,
                                 .stop = teaching->limits->stop,
                                 .report = teaching->report,
                                 .user = teaching->user};
    char *words = strdup(teaching->method);
    bool well = words && folder_of(teaching, folder) ? lesson_read_text(words, &lesson, error)
                                                     : soloist_fail(error, 0, 0, "out of memory");
    well = well && lesson_wish(&lesson, &wish, error) && make_folder(teaching->folder, error) &&
           make_folder(folder, error);
    wish.resume = well && is_begun(folder);
    well = well && run(&wish, time_s, error);
    free(words);
    return well;
}

bool teach(const struct teaching *teaching, double *time_s, soloist_error *error) {
    struct net net;
    if (!net_read(&net, teaching->network, strlen(teaching->network), error))
        return false;
    bool well = teach_network(teaching, &net, time_s, error);
    net_free(&net);
    return well;
}

void teach_tidy(const struct teaching *teaching) {
    char folder[PATH_ROOM], path[PATH_ROOM + 300];
    DIR *files = folder_of(teaching, folder) ? opendir(folder) : NULL;
    for (struct dirent *file; files && (file = readdir(files));) {
        snprintf(path, sizeof path, "%s/%s", folder, file->d_name);
        if (*file->d_name != '.' && strcmp(file->d_name, "weights.safetensors") != 0)
            unlink(path);
    }
    if (files)
        closedir(files);
}
