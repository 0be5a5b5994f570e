/* New instances. Instance number i of a seed is made from random stream i of the seed. Therefore the same arguments
 * give the same instance on every machine, and a call for more instances returns the same instances first. */
#include "engine/make.h"
#include "base/buffer.h"
#include "search/special/registry.h"

#include <stdlib.h>

soloist_code make_draw(const soloist_domain *domain, const void *options, soloist_rng *rng, soloist_stop_token *stop,
                       const soloist_sink *sink, soloist_error *error) {
    const struct special_generate *special = special_generate(domain);
    return special ? special->draw(options, false, rng, stop, sink, error)
                   : domain->generate->make(options, rng, sink, error);
}

soloist_code make_within(const soloist_domain *domain, const char *options, uint64_t seed, uint64_t number,
                         soloist_stop_token *stop, char **text, soloist_error *error) {
    soloist_error spare;
    error = error ? error : &spare;
    *error = (soloist_error){0};
    *text = NULL;
    const soloist_generate *generate = domain->generate;
    if (!generate) {
        soloist_fail(error, 0, 0, "%s has no generator", domain->name);
        return SOLOIST_UNSUPPORTED;
    }
    void *wanted = calloc(1, generate->options_size ? generate->options_size : 1);
    if (!wanted)
        return SOLOIST_NO_MEMORY;
    struct buffer made;
    soloist_rng rng;
    buffer_open(&made);
    soloist_sink sink = buffer_sink(&made);
    soloist_rng_seed(&rng, seed, number);
    soloist_options_reset(generate->options, wanted);
    soloist_code code = soloist_options_parse(generate->options, wanted, options, error);
    if (code == SOLOIST_OK)
        code = make_draw(domain, wanted, &rng, stop, &sink, error);
    if (code != SOLOIST_OK && !*error->text)
        soloist_fail(error, 0, 0, "the generator of %s failed without saying why", domain->name);
    free(wanted);
    if (code == SOLOIST_OK && !(*text = buffer_take(&made)))
        code = SOLOIST_NO_MEMORY;
    buffer_close(&made);
    return code;
}

soloist_code soloist_make(const soloist_domain *domain, const char *options, uint64_t seed, uint64_t number,
                          char **text, soloist_error *error) {
    if (!domain || !text) {
        soloist_fail(error, 0, 0, "soloist_make needs a domain and a text to set");
        return SOLOIST_MISUSE;
    }
    return make_within(domain, options, seed, number, NULL, text, error);
}
