import type { FastifyPluginAsync } from "fastify";
import { answerRpc } from "./chain/answer-rpc.ts";
import type { ReorgChain } from "./chain/reorg-chain.ts";
import { type RpcMethod, type RpcOptions, rpcMethods } from "./chain/rpc-methods.ts";

/** Settings of the node. */
export interface PolygonRpcOptions extends RpcOptions {
  /** Replaces the RPC methods, e.g. to inject faults. */
  alter_methods?: (methods: ReadonlyMap<string, RpcMethod>) => ReadonlyMap<string, RpcMethod>;
}

/** A Polygon node serving a chain: JSON-RPC by POST on `/`. Limits: reference polymarket.md §5.4. */
export function polygonRpcDoor(chain: ReorgChain, options: PolygonRpcOptions = {}): FastifyPluginAsync {
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
