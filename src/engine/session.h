/* A session of a puzzle inside the engine: the domain's working copy of the instance, together with the tables that the
 * domain uses for the instance. */
#ifndef ENGINE_SESSION_H
#define ENGINE_SESSION_H

#include "base/budget.h"

struct soloist_session {
    const soloist *engine;
    const soloist_puzzle *puzzle;
    soloist_instance *working; /* NULL: the domain has no sessions, and the instance itself is searched */
    /* The stop token that the working copy checks; it is stopped when the token of the current solve is stopped. */
    soloist_stop_token token;
    size_t table_bytes; /* size of the attached tables in bytes; 0: none */
    char warning[256];  /* "", or one sentence that says why the tables are not attached */
};

/* Opens a session within the limits of the budget. The budget must outlive the session unless session_leave is called
 * first. */
soloist_code session_open(soloist_session *session, const soloist *engine, const soloist_puzzle *puzzle,
                          struct budget *budget, soloist_error *error);
void session_close(soloist_session *session);
/* From now on the session's token is stopped when the budget's token is stopped. */
void session_enter(soloist_session *session, struct budget *budget);
/* From now on the session belongs to no budget, so that no budget can stop it. */
void session_leave(soloist_session *session);
/* The instance that is searched: the working copy, or, if there is none, the puzzle's own instance. */
const soloist_instance *session_instance(const soloist_session *session);

#endif
