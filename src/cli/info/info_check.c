/* `soloist info --check PLUGIN [FILE...]`: checks whether a plugin's domain fulfils the contract. Random play compares
 * the results of its functions with each other, on the instances of the files or on instances that the domain itself
 * generates. */
#include "base/buffer.h"
#include "base/ranges.h"
#include "cli/info/info.h"
#include "cli/input/input.h"
#include "cli/shell/need.h"
#include "cli/shell/plugin.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { walks = 20, steps = 200, generated = 10 };

/* Ends the program. Only functions that are safe in a signal handler may be called here. */
static void crashed(int signal_number) {
    static const char text[] = "soloist: info: the domain's code crashed during the check. A frequent reason: apply "
                               "uses its undo record, which may be NULL\n";
    (void)signal_number;
    ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    _exit(written < 0 ? CLI_BAD : CLI_SOME);
}

/* What was printed before is flushed, because a crash would lose it. */
static bool check(const soloist_puzzle *puzzle, const char *label, int number) {
    soloist_error error = {0};
    cli_flush();
    signal(SIGSEGV, crashed);
    signal(SIGBUS, crashed);
    bool good = soloist_validate(puzzle, 1, walks, steps, &error);
    signal(SIGSEGV, SIG_DFL);
    signal(SIGBUS, SIG_DFL);
    printf("%s %d: %s\n", label, number, good ? "keeps the contract" : error.text);
    return good;
}

/* range: which instances to check (base/ranges.h); NULL: all. */
static bool check_text(const soloist_domain *domain, const char *label, const char *text, size_t length,
                       const char *range) {
    soloist_cursor cursor = soloist_cursor_open(text, length);
    soloist_puzzle puzzle;
    soloist_error error;
    soloist_code code;
    bool good = true, some = false;
    for (int number = 1; soloist_next_puzzle(domain, NULL, &cursor, &puzzle, &code, &error); number++) {
        bool wanted = !range || ranges_hold(range, number), read = need_code(code) == SOLOIST_OK;
        if (wanted && !read)
            cli_complain_at(label, &error);
        if (wanted)
            good = read && check(&puzzle, label, number) && good;
        some |= wanted;
        soloist_puzzle_free(&puzzle);
    }
    if (some)
        return good;
    cli_complain("%s: no%s instance of %s", label, range ? " such" : "", domain->name);
    return false;
}

static bool check_generated(const soloist_domain *domain) {
    const soloist_generate *generate = domain->generate;
    struct buffer buffer;
    soloist_error error = {.text = "the generator failed without saying why"};
    soloist_rng rng;
    void *options = need_zeroed(1, generate->options_size ? generate->options_size : 1);
    bool good = true;
    soloist_options_reset(generate->options, options);
    soloist_rng_seed(&rng, 1, 0);
    buffer_open(&buffer);
    soloist_sink sink = buffer_sink(&buffer);
    for (int i = 0; i < generated && good; i++) {
        good = need_code(generate->make(options, &rng, &sink, &error)) == SOLOIST_OK;
        soloist_put(&sink, "\n");
    }
    if (buffer.failed)
        need_failed();
    good = good ? check_text(domain, "generated", buffer.text, buffer.length, NULL)
                : cli_complain("%s generates no instance: %s", domain->name, error.text) == CLI_OK;
    buffer_close(&buffer);
    free(options);
    return good;
}

static const soloist_domain *last_domain(const soloist *engine) {
    const soloist_domain *last = NULL, *domain;
    for (size_t i = 0; (domain = soloist_domain_at(engine, i)); i++)
        last = domain;
    return last;
}

int info_check(struct cli *cli, const char *plugin, const struct arg_list *files) {
    const soloist_domain *before = last_domain(cli->engine);
    if (!plugins_load(cli, &(struct arg_list){&plugin, 1}))
        return CLI_BAD;
    const soloist_domain *domain = last_domain(cli->engine);
    if (domain == before)
        return cli_complain("info: %s has no domain that could be checked", plugin);
    if (!files->count && !domain->generate)
        return cli_complain("info: %s generates no instances: name a FILE of them", domain->name);
    bool good = files->count || check_generated(domain);
    for (size_t i = 0; i < files->count; i++) {
        char label[4096];
        const char *range;
        size_t length;
        char *text = input_text(files->items[i], label, sizeof label, &range, &length);
        good = text && check_text(domain, label, text, length, range) && good;
        free(text);
    }
    return good ? CLI_OK : CLI_SOME;
}
