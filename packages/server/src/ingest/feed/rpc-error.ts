/** A JSON-RPC node answered with an error; `code` is the node's (e.g. -32005 for a range that is too wide). */
export class RpcError extends Error {
  readonly host: string;
  readonly method: string;
  readonly code: number;
  readonly data: unknown;

  constructor(host: string, method: string, error: { code: number; message: string; data?: unknown }) {
    super(`${host} answered ${method} with ${error.code}: ${error.message.slice(0, 300)}`);
    this.name = "RpcError";
    this.host = host;
    this.method = method;
    this.code = error.code;
    this.data = error.data;
  }
}
