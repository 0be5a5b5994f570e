/* A trained network as a file in the safetensors layout, which opens in Python as it is: eight bytes of length, a JSON
 * header, the numbers as little-endian floats. The description stands in the header's metadata under
 * "soloist.network", so that a file says by itself what it is. */
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

/* Reads it from bytes; false with one sentence and nothing owned. */
bool net_file_read(struct net_file *file, const void *bytes, size_t length, soloist_error *error);
void net_file_free(struct net_file *file);
/* What the metadata says under a name: its length, -1 if it says nothing. */
long net_file_note(const void *bytes, size_t length, const char *name, char *out, size_t room);

/* Writes a file under a temporary name and puts it in its place. notes: for the metadata, ended by a NULL name; or
 * NULL. */
bool net_file_save(const char *path, const struct net *net, const float *parameters, const struct net_note *notes,
                   soloist_error *error);

#endif
