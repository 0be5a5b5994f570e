/* Runs a fuzz target over every file of a folder, and over cut and mangled copies of each: what a machine without
 * libFuzzer can still check. The exit status carries the verdict: a target that fails aborts. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned char *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    struct stat about;
    if (!file)
        return NULL;
    unsigned char *data = NULL;
    if (fstat(fileno(file), &about) == 0 && S_ISREG(about.st_mode) && (data = malloc((size_t)about.st_size + 1)))
        *size = fread(data, 1, (size_t)about.st_size, file);
    fclose(file);
    return data;
}

/* The target gets blocks of exactly the right size, so that the address sanitizer sees a byte read past the end. */
static void try_exact(const unsigned char *data, size_t size) {
    unsigned char *exact = malloc(size ? size : 1);
    if (!exact)
        exit(2);
    memcpy(exact, data, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

static int replay(unsigned char *data, size_t size) {
    static const unsigned char odd[] = {0, 9, 10, 13, 32, 34, 40, 48, 57, 124, 127, 128, 255};
    int inputs = 1;
    try_exact(data, size);
    size_t stride = size / 64 + 1;
    for (size_t cut = 0; cut < size; cut += stride, inputs++)
        try_exact(data, cut);
    for (size_t place = 0; place < size; place += stride, inputs++) {
        unsigned char kept = data[place];
        data[place] = odd[(place + size) % sizeof odd];
        try_exact(data, size);
        data[place] = kept;
    }
    return inputs;
}

int main(int count, char **arguments) {
    DIR *folder = count == 2 ? opendir(arguments[1]) : NULL;
    if (!folder) {
        fprintf(stderr, "usage: %s CORPUS_FOLDER\n", arguments[0]);
        return 2;
    }
    int files = 0, inputs = 0;
    char path[4096];
    for (struct dirent *entry; (entry = readdir(folder));) {
        size_t size = 0;
        snprintf(path, sizeof path, "%s/%s", arguments[1], entry->d_name);
        unsigned char *data = read_file(path, &size);
        if (!data)
            continue;
        inputs += replay(data, size);
        files++;
        free(data);
    }
    closedir(folder);
    printf("replayed %d files as %d inputs\n%d passed, 0 failed\n", files, inputs, files);
    return files ? 0 : 1;
}
