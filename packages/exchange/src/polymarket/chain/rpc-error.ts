/** A JSON-RPC error; `code` and the message are sent to the caller unchanged. */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = "RpcError";
    this.code = code;
  }
}
