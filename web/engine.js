// @ts-check
// The one interface of the page to the engine: HTTP now. Nothing else on the page sends a request.

/** @typedef {{name: string, kind: string, initial: number, least: number, most: number, choices: string|null,
 *   help: string}} Option */
/** @typedef {{name: string, summary: string, aim: string, players: number, reverse: boolean, options: Option[],
 *   generator: Option[], methods: string[]}} Domain */
/** @typedef {{name: string, summary: string, options: Option[]}} Method */
/** @typedef {{version: string, domains: Domain[], methods: Method[], sets: string[], files: string[],
 *   lab: boolean, trainings: string[],
 *   limits: {time: number, memory: number, threads: number, jobs: number, text: number, body: number}}} About */
/** @typedef {{name: string, line: number, text: string|null, error?: string, error_line?: number}} Instance */
/** @typedef {{domain: string, instances: Instance[], total: number}} Reading */
/** @typedef {{outlook: "unknown"|"alive"|"ended"|"lost", move: string|null, line: any, reason: string|null,
 *   sentence: string|null, board: string|null, time_s?: number}} Advice */
/** @typedef {{time_s: number, nodes: number, iterations: number, expanded: number, memory: number, best: number|null,
 *   note: string|null, line: string|null}} Progress */
/** @typedef {{id: string, kind: string, tag: string|null, domain: string|null, method: string|null, time: number,
 *   state: "waiting"|"running"|"ended", place?: number, cancelled: boolean, abandoned: boolean, progress: Progress,
 *   error: string|null, result: any}} Job */

/** @typedef {{name: string, title: string, runs: number, finished: number, last: string|null}} Experiment */
/** @typedef {{name: string, experiments: Experiment[]}} Store a store of the lab */

/** A request that was refused, with the server's sentence. */
export class EngineError extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** @param {string} path @param {RequestInit} [how] */
async function ask(path, how) {
  let answer;
  try {
    answer = await fetch(path, how);
  } catch {
    throw new EngineError(0, "Soloist does not answer: is the program still running?");
  }
  if (answer.ok) return answer;
  const body = await answer.json().catch(() => ({}));
  throw new EngineError(answer.status, body.error ?? `the server answered ${answer.status}`);
}

/** @param {string} path @param {object} body */
async function send(path, body) {
  const headers = { "Content-Type": "application/json" };
  return (await ask(path, { method: "POST", headers, body: JSON.stringify(body) })).json();
}

/** The most seconds that the server allows for one job. */
let mostSeconds = Infinity;

export const engine = {
  /** Domains, methods, level sets, limits. @returns {Promise<About>} */
  about: async () => {
    const about = await (await ask("/api/about")).json();
    mostSeconds = about.limits.time;
    return about;
  },
  /** A time for a job: as long as is usual, but no longer than the server allows. @param {number} usual */
  seconds: (usual) => Math.min(usual, mostSeconds),
  /** The text of an installed level set. @param {string} name */
  set: async (name) => (await ask(`/api/sets/${encodeURIComponent(name)}`)).text(),
  /** The text of a file that was named on the command line. @param {number} number */
  file: async (number) => (await ask(`/api/files/${number}`)).text(),
  /** Splits a text into instances. @param {{text: string, domain?: string, from?: number, count?: number}} what
   *  @returns {Promise<Reading>} */
  read: (what) => send("/api/read", what),
  /** What quick rules say about a position. @param {string} domain @param {string} text @returns {Promise<Advice>} */
  explain: (domain, text) => send("/api/explain", { domain, text }),
  /** Whether a solution is correct. @param {string} domain @param {string} text @param {string} solution
   *  @returns {Promise<any>} */
  check: (domain, text, solution) => send("/api/check", { domain, text, solution }),
  /** Starts a job. @param {object} work @returns {Promise<Job>} */
  start: (work) => send("/api/jobs", work),
  /** @returns {Promise<Job[]>} */
  jobs: async () => (await ask("/api/jobs")).json(),
  /** @param {string} id @returns {Promise<Job>} */
  job: async (id) => (await ask(`/api/jobs/${id}`)).json(),
  /** @param {string} id @returns {Promise<Job>} */
  cancel: async (id) => (await ask(`/api/jobs/${id}`, { method: "DELETE" })).json(),

  /** How a search that is watched goes on. @param {string} id
   *  @param {{paused: boolean, every: number, delay: number, steps?: number, path?: number[]}} wish @returns {Promise<Job>} */
  pace: (id, wish) => send(`/api/jobs/${id}/pace`, wish),

  /** The lab's stores and their experiments. @returns {Promise<Store[]>} */
  lab: async () => (await ask("/api/lab")).json(),
  /** A table, a comparison, a figure of an experiment. @param {object} what @returns {Promise<any>} */
  labAsk: (what) => send("/api/lab", what),
  /** A training run: its curve from a row on, its newest games, its card. @param {number} number @param {number} [from]
   *  @returns {Promise<any>} */
  training: (number, from = 0) => send("/api/training", { number, from }),

  /** Follows a job to its end. lost: the server does not answer at present. @param {string} id @param {(job: Job) => void} [seen]
   *  @param {() => void} [lost] @returns {Promise<Job>} */
  follow: (id, seen, lost) =>
    new Promise((resolve, reject) => {
      const events = new EventSource(`/api/jobs/${id}/events`);
      events.addEventListener("job", (event) => seen?.(JSON.parse(event.data)));
      events.addEventListener("end", (event) => {
        events.close();
        resolve(JSON.parse(event.data));
      });
      events.addEventListener("error", () => {
        if (events.readyState === EventSource.CLOSED) reject(new EngineError(404, "the server no longer has this job"));
        else lost?.();
      });
    }),

  /** Starts a job and follows it. @param {object} work @param {(job: Job) => void} [seen] */
  run: async (work, seen) => {
    const job = await engine.start(work);
    seen?.(job);
    return engine.follow(job.id, seen);
  },
};
