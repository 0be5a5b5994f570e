/* Sessions: a session stores what searches learn about an instance during one solve, or during several solves if the
 * caller keeps the session. */
#include "engine/session.h"

#include "engine/engine.h"
#include "engine/tables.h"

#include <stdio.h>

/* Tables may use half of the time, so that something is left for a search without them, and three quarters of the
 * memory. */
static void attach_tables(soloist_session *session, struct budget *budget) {
    const soloist_domain *domain = session->puzzle->domain;
    const soloist_limits *limits = &budget->limits;
    soloist_error why = {0};
    const void *tables = NULL;
    soloist_stop_token until;
    stop_token_open(&until, &budget->token);
    soloist_stop_token_deadline(&until, limits->time_s / 2);
    soloist_work work = {.stop = &until,
                         .memory = limits->memory / 4 * 3,
                         .threads = limits->threads > 1 ? limits->threads : 1,
                         .callbacks = budget->callbacks};
    if (!tables_cache_find(engine_tables(session->engine), domain, session->working, &work, &tables, &why))
        snprintf(session->warning, sizeof session->warning, "searched with a weaker bound: %.200s", why.text);
    if (!tables)
        return;
    domain->tables->attach(session->working, tables);
    session->table_bytes = domain->tables->bytes(tables);
}

soloist_code session_open(soloist_session *session, const soloist *engine, const soloist_puzzle *puzzle,
                          struct budget *budget, soloist_error *error) {
    const soloist_life *life = puzzle->domain->life;
    *session = (soloist_session){.engine = engine, .puzzle = puzzle};
    stop_token_open(&session->token, &budget->token);
    if (!life->session)
        return SOLOIST_OK;
    soloist_work work = {.stop = &session->token,
                         .memory = budget->limits.memory,
                         .threads = budget->limits.threads > 1 ? budget->limits.threads : 1,
                         .callbacks = budget->callbacks};
    soloist_fail(error, 0, 0, "no session of the instance could be made");
    session->working = life->session(puzzle->instance, &work, error);
    if (!session->working)
        return SOLOIST_NO_MEMORY;
    *error = (soloist_error){0};
    attach_tables(session, budget);
    return SOLOIST_OK;
}

void session_close(soloist_session *session) {
    if (session->working)
        session->puzzle->domain->life->destroy(session->working);
    session->working = NULL;
}

void session_enter(soloist_session *session, struct budget *budget) {
    stop_token_open(&session->token, &budget->token);
}

void session_leave(soloist_session *session) { stop_token_open(&session->token, NULL); }

const soloist_instance *session_instance(const soloist_session *session) {
    return session->working ? session->working : session->puzzle->instance;
}
