import type { MessagePort, Worker } from "node:worker_threads";

/** Posts a message of a call. Result bytes are transferred, not copied: an answer of the engine may have 40 MB. */
export function postMoving(port: Pick<Worker | MessagePort, "postMessage">, message: unknown): void {
  const result = (message as { readonly r?: unknown }).r;
  port.postMessage(message, result instanceof Uint8Array ? [result.buffer as ArrayBuffer] : []);
}
