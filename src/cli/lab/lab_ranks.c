/* The lab on all ranks that a launcher has started. */
#include "cli/lab/lab.h"
#include "cli/shell/plugin.h"
#include "cli/shell/ranks.h"
#include "cli/shell/signals.h"
#include "cli/solve/batch.h"
#include "lab/run/far.h"

static int help(struct cli *cli, const struct lab_wish *wish, const struct arg_list *plugins) {
    struct far_helper helper = {cli->engine, signals_token(), trained_open()};
    struct dispatch_work work = far_work(&helper, wish->jobs ? wish->jobs : batch_cores());
    bool ready = plugins_load(cli, plugins);
    lab_add_data(wish->data);
    signals_open();
    int status = ranks_help(cli, ready, &work);
    trained_close(helper.trained);
    return status;
}

bool lab_join_ranks(struct cli *cli, const struct lab_wish *wish, const struct arg_list *plugins, int *status) {
    *status = CLI_BAD;
    if (!ranks_open(cli))
        return false;
    if (!ranks_is_helper(cli))
        return true;
    *status = help(cli, wish, plugins);
    return false;
}

bool lab_begin_ranks(struct cli *cli, struct dispatch **dispatch) {
    struct buffer nothing;
    buffer_open(&nothing);
    *dispatch = NULL;
    if (!ranks_gather(cli))
        return false;
    *dispatch = ranks_begin(cli, &nothing);
    return true;
}
