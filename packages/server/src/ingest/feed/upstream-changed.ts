/** An answer had another shape than the one we know. The page is parked; nothing of it was stored. */
export class UpstreamChanged extends Error {
  readonly host: string;
  readonly route: string;
  readonly path: string;
  /** Where in the answer, e.g. `[3].price`. */
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
