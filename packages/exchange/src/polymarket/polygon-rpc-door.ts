import type { FastifyPluginAsync } from "fastify";
import type { World } from "../world/world.ts";
import { answerRpc } from "./chain/answer-rpc.ts";
import { reorgChain, type ReorgChain } from "./chain/reorg-chain.ts";
import { type RpcMethod, type RpcOptions, rpcMethods } from "./chain/rpc-methods.ts";

/** Settings of the node. */
export interface PolygonRpcOptions extends RpcOptions {
  /** The chain as this node sees it; hand one in to be able to call its `reorg`. */
  chain?: ReorgChain;
  /** Puts others in place of the methods: the place for faults. */
  alter_methods?: (methods: ReadonlyMap<string, RpcMethod>) => ReadonlyMap<string, RpcMethod>;
}

/** A Polygon node: JSON-RPC by POST on `/`. Limits: reference polymarket.md §5.4. */
export function polygonRpcDoor(world: World, options: PolygonRpcOptions = {}): FastifyPluginAsync {
  return async (app) => {
    const own = rpcMethods(options.chain ?? reorgChain(world.chain), options);
    const methods = options.alter_methods?.(own) ?? own;
    app.setErrorHandler(async (_error, _request, reply) => {
      const error = { code: -32700, message: "parse error" };
      return reply.code(400).send({ jsonrpc: "2.0", id: null, error });
    });
    app.post("/", async ({ body }) => answerRpc(methods, body));
  };
}
