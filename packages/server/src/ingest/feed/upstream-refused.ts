/** The upstream answered with a status that will not change by asking again, or kept refusing to the last attempt. */
export class UpstreamRefused extends Error {
  readonly host: string;
  readonly path: string;
  readonly status: number;
  /** The start of the answer, for the log. */
  readonly sample: string;

  constructor(host: string, path: string, status: number, body: string) {
    const sample = body.slice(0, 300);
    super(`${host} answered ${status} to ${path}: ${sample}`);
    this.name = "UpstreamRefused";
    this.host = host;
    this.path = path;
    this.status = status;
    this.sample = sample;
  }
}
