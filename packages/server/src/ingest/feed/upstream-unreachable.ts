/** No whole answer came: connection refused or cut, time run out, body too large, not JSON. */
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
