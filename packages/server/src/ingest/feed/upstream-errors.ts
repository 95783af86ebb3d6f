/** An answer had an unexpected shape. The page is parked; nothing of it was stored. */
export class UpstreamChanged extends Error {
  readonly host: string;
  readonly route: string;
  readonly path: string;
  /** Path in the answer, e.g. `[3].price`. */
  readonly field: string;
  readonly problem: string;
  /** The value found there, as short JSON. */
  readonly sample: string;

  constructor(found: { host: string; route: string; path: string; field: string; problem: string; sample: string }) {
    super(`${found.host} changed: ${found.field} of ${found.path}: ${found.problem}; it holds ${found.sample}`);
    this.name = "UpstreamChanged";
    this.host = found.host;
    this.route = found.route;
    this.path = found.path;
    this.field = found.field;
    this.problem = found.problem;
    this.sample = found.sample;
  }
}

/** The call was not made: after too many consecutive failures the circuit breaker is open. */
export class UpstreamPaused extends Error {
  constructor(host: string, why: string) {
    super(`${host} is not called for a while, its circuit breaker is open: ${why}`);
    this.name = "UpstreamPaused";
  }
}

/** No complete answer came: connection refused or cut, timeout, body too large, not JSON. */
export class UpstreamUnreachable extends Error {
  readonly host: string;
  readonly path: string;

  constructor(host: string, path: string, why: string, cause?: unknown) {
    super(`${host} gave no answer to ${path}: ${why}`, cause === undefined ? undefined : { cause });
    this.name = "UpstreamUnreachable";
    this.host = host;
    this.path = path;
  }
}

/** The call was not made: its possible cost exceeds what is left of the UTC day's cap. */
export class SpendingCapReached extends Error {
  constructor(host: string, setting: string, day: string) {
    super(`${host} was not called: it could bill more than ${setting} allows on ${day} (UTC)`);
    this.name = "SpendingCapReached";
  }
}
