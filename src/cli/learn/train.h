/* What the parts of `soloist train` share. A run lies in a folder of its own that also remembers the words it was begun
 * with (words.json) and its first network (start.net or start.safetensors), so that `train --resume FOLDER` alone goes
 * on. What an earlier run left is never replaced: it is refused, or put aside. */
#ifndef CLI_TRAIN_H
#define CLI_TRAIN_H

#include "cli/cli.h"

/* What was typed. Not said: NULL, an empty list, TRAIN_NO_TIME, TRAIN_NO_SEED, 0. */
struct train_options {
    const char *domain, *board, *generate, *out, *network, *back_end, *method, *search, *folder, *resume, *store;
    const char *own; /* the network of the run that is resumed, which it may replace; NULL: not known */
    struct arg_list games, plugin, words; /* words: KEY=VALUE */
    double time;
    uint64_t seed;
    int threads, way; /* way: of TRAIN_WAYS, from 1 */
    bool force;
};

#define TRAIN_NO_TIME (-1.0)
#define TRAIN_NO_SEED UINT64_MAX
#define TRAIN_WAYS "continuous|generations"

/* ---- the words (train_words.c) ---- */

/* --resume: words that were not typed are taken from the folder. Complains and returns false if it holds no run, or if
 * a word contradicts what the run is. The texts taken from it belong to *texts. */
bool train_words_recall(struct train_options *options, struct arg_list *texts);
/* Writes the words down in the folder; what is not said stays unsaid. */
bool train_words_remember(const char *folder, const struct train_options *options);
/* Frees texts that were taken. */
void train_texts_free(struct arg_list *texts);

/* ---- the folder (train_folder.c) ---- */

struct train_folder {
    char *path;
    int lock;                       /* held while the run goes on; -1: none */
    char *aside_out, *aside_folder; /* where an earlier network and run went; NULL: nowhere */
    bool fresh;                     /* not resumed: what a failed start leaves is taken away again */
};

/* The folder for a new run, or the one to resume: there, and held by no other process. An earlier network or run in its
 * place is put aside with --force; otherwise it complains and returns false. */
bool train_folder_open(struct train_folder *folder, const struct train_options *options);
/* After a start that came to nothing, without a game or a checkpoint, everything is again as it was before. */
void train_folder_close(struct train_folder *folder, const struct train_options *options);
/* The path of a file in it, to be freed; and whether it is there. */
char *train_folder_file(const char *folder, const char *name);
bool train_folder_has(const char *folder, const char *name);
/* Does it hold a checkpoint? */
bool train_folder_is_begun(const char *folder);
/* The file of the run's first network (or, in folders of before, of its last checkpoint), to be freed; NULL: none. */
char *train_folder_network(const char *folder);
/* Keeps the first network there, as a copy of the file. */
bool train_folder_keep_network(const char *folder, const char *path, const void *bytes, size_t length);

#endif
