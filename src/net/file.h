/* A trained network as a file in the safetensors format, which Python can open directly: eight bytes with the length of
 * the header, a JSON header, and the numbers as little-endian floats. The header's metadata contains the network's
 * description under "soloist.network", so that no other file is needed. */
#ifndef NET_FILE_H
#define NET_FILE_H

#include "net/net.h"

struct net_note {
    const char *name, *text;
};

/* A network with its parameters. */
struct net_file {
    struct net net;
    float *parameters; /* owned */
};

/* Reads a network from bytes. On failure returns false with an error of one sentence, and there is nothing to free. */
bool net_file_read(struct net_file *file, const void *bytes, size_t length, soloist_error *error);
void net_file_free(struct net_file *file);
/* Copies the metadata entry with this name; returns its length, or -1 if there is none. */
long net_file_note(const void *bytes, size_t length, const char *name, char *out, size_t room);

/* Writes a file under a temporary name and then renames it. notes: entries for the metadata; an entry with a NULL name
 * ends the list. notes may be NULL. */
bool net_file_save(const char *path, const struct net *net, const float *parameters, const struct net_note *notes,
                   soloist_error *error);

#endif
