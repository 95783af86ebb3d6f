/** The call was not made: the upstream failed too often in a row, and its circuit breaker is open. */
export class UpstreamPaused extends Error {
  constructor(host: string, why: string) {
    super(`${host} is not asked for a while, its circuit breaker is open: ${why}`);
    this.name = "UpstreamPaused";
  }
}
