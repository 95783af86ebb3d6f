import { z } from "zod";
import { listOf } from "../../definition/upstream-bounds.ts";
import { slicesOf } from "../../definition/slices.ts";

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

export type RpcCall = { readonly method: string; readonly params: readonly unknown[] };

type Requested = RpcCall & { readonly resolve: (result: unknown) => void; readonly reject: (error: unknown) => void };

const MAX_PER_BATCH = 20;

const answer = z.looseObject({
  id: z.union([z.number(), z.string(), z.null()]).optional(),
  result: z.unknown().optional(),
  error: z.looseObject({ code: z.number(), message: z.string(), data: z.unknown().optional() }).nullish(),
});
export const rpcReply = z.union([listOf(answer, MAX_PER_BATCH), answer]);

/**
 * Batches the JSON-RPC calls made in one turn of the event loop into requests of up to 20. `post` sends a body worth
 * `cost` calls and resolves to the parsed reply.
 */
export function createRpcBatch(
  host: string,
  post: (body: unknown, cost: number) => Promise<z.output<typeof rpcReply>>,
): (call: RpcCall) => Promise<unknown> {
  let requested: Requested[] = [];

  const flush = (): void => {
    const calls = requested;
    requested = [];
    for (const part of slicesOf(calls, MAX_PER_BATCH)) {
      settle(host, part, post).catch((error: unknown) => {
        for (const call of part) call.reject(error);
      });
    }
  };

  return (call) =>
    new Promise((resolve, reject) => {
      requested.push({ ...call, resolve, reject });
      if (requested.length === 1) setImmediate(flush);
    });
}

async function settle(
  host: string,
  calls: readonly Requested[],
  post: (body: unknown, cost: number) => Promise<z.output<typeof rpcReply>>,
): Promise<void> {
  const frames = calls.map(({ method, params }, id) => ({ jsonrpc: "2.0", id, method, params }));
  const reply = await post(frames.length === 1 ? frames[0] : frames, calls.length);
  // A node that refuses the entire batch answers with one object without an id.
  const answers = Array.isArray(reply) ? reply : calls.map((_, id) => ({ ...reply, id }));
  const byId = new Map(answers.map((each) => [Number(each.id), each]));
  calls.forEach((call, id) => {
    const found = byId.get(id);
    if (found === undefined) {
      call.reject(new RpcError(host, call.method, { code: 0, message: "the batch response lacks this call" }));
    } else if (found.error) call.reject(new RpcError(host, call.method, found.error));
    else call.resolve(found.result);
  });
}
