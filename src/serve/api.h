/* What the server does for each path below /api. Every function fills the reply. */
#ifndef SERVE_API_H
#define SERVE_API_H

#include "serve/serve.h"

/* rest: the part of the request's path that follows the route, such as a job's id; "" if there is none. */
typedef void api_act(struct serve *serve, const struct request *request, const char *rest, struct reply *reply);

api_act api_about, api_set, api_file, api_read;             /* api_read.c */
api_act api_explain, api_check;                             /* api_position.c */
api_act api_training, api_lab, api_lab_list;                /* api_training.c */
api_act api_add, api_list, api_job, api_events, api_cancel; /* api_jobs.c */
api_act api_pace;                                           /* api_jobs.c */

#endif
