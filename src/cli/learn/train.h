/* Declarations that the parts of `soloist train` share. A run has its own folder, which also holds the arguments with
 * which it was started (words.json) and its first network (start.net or start.safetensors), so that
 * `train --resume FOLDER` needs nothing else. Files of an earlier run are never overwritten: the command refuses to
 * start, or renames them. */
#ifndef CLI_LEARN_TRAIN_H
#define CLI_LEARN_TRAIN_H

#include "cli/cli.h"

/* The command line. Values that were not given are NULL, an empty list, TRAIN_NO_TIME, TRAIN_NO_SEED or 0. */
struct train_options {
    const char *domain, *board, *generate, *curriculum, *out, *network, *back_end, *method, *search, *folder, *resume,
        *store, *teacher;
    const char *own; /* the network file that the resumed run itself wrote, which may be overwritten; NULL: not known */
    struct arg_list games, levels, plugin, words; /* words: KEY=VALUE */
    double time;
    uint64_t seed;
    int threads, way; /* way: 1 + the index in TRAINING_WAYS */
    bool force;
};

#define TRAIN_NO_TIME (-1.0)
#define TRAIN_NO_SEED UINT64_MAX

/* ---- the arguments (train_words.c) ---- */

/* For --resume: reads from the folder the arguments that were not given on the command line. Complains and returns
 * false if the folder holds no run, or if an argument contradicts the run. *texts owns the texts that were read. */
bool train_words_recall(struct train_options *options, struct arg_list *texts);
/* Writes the arguments to the folder; those not given are left out. */
bool train_words_remember(const char *folder, const struct train_options *options, soloist_error *error);
/* Adds a word KEY=VALUE to a list; if KEY is a former name of an option, it is replaced by the current name. The text
 * belongs to *texts. */
void train_words_add(struct arg_list *list, const char *word, struct arg_list *texts);
/* Frees the texts. */
void train_texts_free(struct arg_list *texts);

/* ---- the folder (train_folder.c) ---- */

struct train_folder {
    char *path;
    int lock;                       /* descriptor of the lock during the run; -1: none */
    char *aside_out, *aside_folder; /* the new names of an earlier network and run; NULL: nothing was renamed */
    bool fresh;                     /* the run is new; if its start fails, the files that it wrote are removed */
};

/* Creates the folder for a new run, or opens the folder to resume, and locks it against other processes. If there is an
 * earlier network or run of the same name: with --force, renames it; without --force, complains and returns false. */
bool train_folder_open(struct train_folder *folder, const struct train_options *options);
/* If the run failed before its first game or checkpoint, removes the files that a new run wrote, and gives renamed
 * files their old names again. */
void train_folder_close(struct train_folder *folder, const struct train_options *options);
/* The path of a file in the folder, which the caller frees. */
char *train_folder_file(const char *folder, const char *name);
/* Whether the folder has a file of this name. */
bool train_folder_has(const char *folder, const char *name);
/* Whether the folder holds a checkpoint. */
bool train_folder_is_begun(const char *folder);
/* The path of the file that holds the run's first network. In a folder that an older version of the program wrote, this
 * file is missing; the path is then that of the network of the last checkpoint. The caller frees the path; NULL: the
 * folder has neither file. */
char *train_folder_network(const char *folder);
/* Stores a copy of the first network in the folder. */
bool train_folder_keep_network(const char *folder, const char *path, const void *bytes, size_t length);

#endif
