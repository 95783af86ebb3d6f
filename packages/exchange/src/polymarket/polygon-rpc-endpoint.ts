import type { FastifyPluginAsync } from "fastify";
import type { ReorgChain } from "./chain/reorg-chain.ts";
import { type RpcMethod, type RpcOptions, rpcMethods } from "./chain/rpc-methods.ts";
import { z } from "zod";
import { RpcError } from "./chain/rpc-error.ts";

/** Settings of the node. */
export interface PolygonRpcOptions extends RpcOptions {
  /** Replaces the RPC methods, e.g. to inject faults. */
  alter_methods?: (methods: ReadonlyMap<string, RpcMethod>) => ReadonlyMap<string, RpcMethod>;
}

/** A Polygon node serving a chain: JSON-RPC by POST on `/`. Limits: reference polymarket.md §5.4. */
export function polygonRpcEndpoint(chain: ReorgChain, options: PolygonRpcOptions = {}): FastifyPluginAsync {
  return async (app) => {
    const own = rpcMethods(chain, options);
    const methods = options.alter_methods?.(own) ?? own;
    app.setErrorHandler(async (_error, _request, reply) => {
      const error = { code: -32700, message: "parse error" };
      return reply.code(400).send({ jsonrpc: "2.0", id: null, error });
    });
    app.post("/", async ({ body }) => answerRpc(methods, body));
  };
}

const request = z.object({
  jsonrpc: z.literal("2.0").optional(),
  id: z.union([z.number(), z.string(), z.null()]).optional(),
  method: z.string(),
  params: z.array(z.unknown()).max(16).optional(),
});

const maxInBatch = 100;

/** A JSON-RPC 2.0 response. */
export type RpcAnswer = { jsonrpc: "2.0"; id: number | string | null } & (
  | { result: unknown }
  | { error: { code: number; message: string } }
);

/** Answers one request or a batch of at most 100. */
export function answerRpc(methods: ReadonlyMap<string, RpcMethod>, body: unknown): RpcAnswer | RpcAnswer[] {
  if (!Array.isArray(body)) return answerOne(methods, body);
  if (body.length === 0) return refusal(null, -32600, "invalid request");
  if (body.length > maxInBatch) return refusal(null, -32600, "batch too large");
  return body.map((each) => answerOne(methods, each));
}

function answerOne(methods: ReadonlyMap<string, RpcMethod>, body: unknown): RpcAnswer {
  const parsed = request.safeParse(body);
  if (!parsed.success) return refusal(null, -32600, "invalid request");
  const { id = null, method, params = [] } = parsed.data;
  const run = methods.get(method);
  if (run === undefined) return refusal(id, -32601, `the method ${method} does not exist/is not available`);
  try {
    return { jsonrpc: "2.0", id, result: run(params) };
  } catch (error) {
    if (error instanceof RpcError) return refusal(id, error.code, error.message);
    throw error;
  }
}

function refusal(id: number | string | null, code: number, message: string): RpcAnswer {
  return { jsonrpc: "2.0", id, error: { code, message } };
}
